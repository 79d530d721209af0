"""In real Chromium: data blocks are no scripts to the content policy, a real inline script is stopped."""

import pytest

pytestmark = pytest.mark.browser
LISTEN = "window.stopped = []; addEventListener('securitypolicyviolation', e => stopped.push(e.effectiveDirective))"
RUN_INLINE = "document.head.append(Object.assign(document.createElement('script'), {text: 'window.ran = true'}))"
DATA = "blocks => blocks.map(block => JSON.parse(block.textContent)['@type'])"


def test_data_blocks_are_read_and_inline_scripts_stopped(chromium, live_server, make_variant):
    make_variant()
    page = chromium.new_page()
    page.add_init_script(LISTEN)
    for path, told in (("/en-in/", "Organization"), ("/en-in/product/product-1/", "Product")):
        page.goto(f"{live_server.url}{path}")
        assert told in page.eval_on_selector_all('script[type="application/ld+json"]', DATA)
        assert page.evaluate("stopped") == []
    page.evaluate(RUN_INLINE)
    page.wait_for_function("() => stopped.length")
    assert page.evaluate("[stopped, window.ran]") == [["script-src-elem"], None]
    page.close()
