from .complaints import admin as complaint_admin  # noqa: F401 (they register their screens)
from .enquiries import admin as enquiry_admin  # noqa: F401 (they register their screens)
from .newsletter import admin as newsletter_admin  # noqa: F401 (they register their screens)
