from django.contrib import admin
from django_tasks_db.models import DBTaskResult

admin.site.unregister(DBTaskResult)  # the processes' own; no role has a use for it
