from . import complaint_admin, enquiry_admin, newsletter_admin  # noqa: F401 (they register their screens)
