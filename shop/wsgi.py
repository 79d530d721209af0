import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")

from django.core.wsgi import get_wsgi_application

django = get_wsgi_application()

from shop.ops.request_buffering import RequestBuffer
from shop.reports.visits import keep_writing_down
from shop.startup import answer_first_pages, assert_ready_to_serve, warm_up

assert_ready_to_serve()
answer_first_pages(django)
warm_up()
keep_writing_down()
application = RequestBuffer(django)
