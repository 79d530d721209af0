"""Refusals in the shop's own terms."""

import pickle

import pytest

from shop import errors


@pytest.mark.parametrize(
    "error", [errors.NotFound(), errors.TooMany("Too many.", 60), errors.Invalid("No.", fields={"x": ["No."]})]
)
def test_a_refusal_is_the_same_in_another_process(error):
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is type(error) and found.args == error.args and vars(found) == vars(error)
