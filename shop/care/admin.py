from .complaints import admin as complaint_admin  # noqa: F401 (registers its admin)
from .enquiries import admin as enquiry_admin  # noqa: F401 (registers its admin)
from .newsletter import admin as newsletter_admin  # noqa: F401 (registers its admin)
