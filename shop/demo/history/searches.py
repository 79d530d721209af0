"""What shoppers searched for, as far back as searches are kept."""

from datetime import timedelta
from random import Random

from django.utils import timezone

from shop.search.engines.services import search
from shop.search.models import SearchChange, SearchCount
from shop.search.query_log import KEPT_DAYS
from shop.search.text.normalization import plain_words

WORDS = {
    "ashwagandha": 16, "chyawanprash": 12, "triphala": 9, "hair oil": 9, "moringa": 7, "neem": 6, "turmeric": 6,
    "face wash": 6, "protein": 5, "honey": 5, "tulsi": 5, "shilajit": 5, "brahmi": 4, "aloe vera": 4, "kumkumadi": 4,
    "giloy": 4, "baby oil": 3, "digestion": 3, "immunity": 3, "joint pain": 3, "yoga mat": 2, "ashwaganda": 2,
    "toothpaste": 2, "diabetes": 2, "sleep": 2, "majun": 2, "amla": 3, "cough syrup": 2, "green tea": 2,
    "collagen": 3, "melatonin": 2, "sugar free gummies": 1, "keto": 1, "hing tablets": 1, "massage gun": 1,
    "kids multivitamin": 1, "sunscreen spf 50": 2, "beard oil": 1, "probiotic drink": 1, "weight gainer": 1,
}  # fmt: skip
CHANGES = {("mulati powder", "mulethi powder"): 4, ("weight gainer", "whey protein"): 6, ("hing tablets", "hing"): 3}
SEARCHES_A_DAY = 60
OPENED = 0.7  # of the searches that find something


def add_searches(random: Random) -> None:
    results = {words: len(search(words).ids) for words in WORDS}
    today = timezone.localdate()
    rows = []
    for back in range(KEPT_DAYS - 1, -1, -1):
        growth = 1 - back / (2 * KEPT_DAYS)
        for words, weight in WORDS.items():
            mean = SEARCHES_A_DAY * growth * weight / sum(WORDS.values())
            if searches := int(random.gauss(mean, mean**0.5) + random.random()):
                day = today - timedelta(days=back)
                searches = max(1, searches)
                opened = sum(random.random() < OPENED for _ in range(searches)) if results[words] else 0
                kept = {"country": "IN", "searches": searches, "clicks": opened, "results": results[words]}
                rows.append(SearchCount(day=day, words=plain_words(words), **kept))
    for (words, changed_to), times in CHANGES.items():
        day = today - timedelta(days=random.randrange(7))
        SearchChange.objects.create(day=day, words=words, changed_to=changed_to, times=times)
    SearchCount.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)
