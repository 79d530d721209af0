"""Cross-validation measures on queries that took no part in the choice."""

from shop.search.text import ranking

from ..search.tuning import cross_validated

QUERIES = [f"query {number}" for number in range(20)]


def test_what_helps_one_query_alone_does_not_count():
    """Every setting is perfect for one query and useless for the others: chosen on others, it does nothing."""
    settings = iter(range(1000))

    def measure():
        lucky = next(settings)
        return {query: float(number == lucky) for number, query in enumerate(QUERIES)}

    assert cross_validated(measure) < 0.01


def test_what_helps_all_queries_counts():
    def measure():
        return dict.fromkeys(QUERIES, 1.0 if ranking.KIND_BONUS == 0.25 else 0.1)

    assert cross_validated(measure) == 1.0


def test_the_numbers_of_the_shop_are_as_before():
    before = ranking.KIND_BONUS, ranking.MIN_KIND
    cross_validated(lambda: dict.fromkeys(QUERIES, 1.0))
    assert before == (ranking.KIND_BONUS, ranking.MIN_KIND)
