"""A small search server that speaks what the shop uses of OpenSearch's API, and refuses everything else."""

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import log

from rapidfuzz.distance import OSA


class RefusedError(Exception):
    """The answer is an error: status and reason."""


class StandIn:
    """Documents by index, aliases, and the calls that came. `trouble` makes the next calls fail as servers do."""

    def __init__(self):
        self.indexes: dict[str, dict] = {}
        self.mappings: dict[str, dict] = {}
        self.versions: dict[str, dict] = {}
        self.aliases: dict[str, set[str]] = {}
        self.calls: list[tuple[str, str]] = []
        self.authorisation = None
        self.trouble: Callable[[], tuple[int, bytes]] | None = None

    def answer(self, method, path, query, body):
        parts = path.strip("/").split("/")
        match method, *parts:
            case "PUT", index:
                return self.create(index, json.loads(body))
            case "DELETE", index:
                return self.delete(index)
            case "GET", "_alias", alias:
                return self.alias(alias)
            case "POST", "_aliases":
                return self.change_aliases(json.loads(body)["actions"])
            case "POST", "_bulk":
                assert query == "refresh=true"
                return self.bulk([json.loads(line) for line in body.decode().splitlines()])
            case "POST", index, "_search":
                return self.search(index, json.loads(body))
        raise RefusedError(400, f"no handler for {method} {path}")

    def create(self, index, body):
        if index in self.indexes:
            raise RefusedError(400, "resource_already_exists_exception")
        self.indexes[index], self.versions[index] = {}, {}
        self.mappings[index] = body["mappings"]["properties"]
        return {"acknowledged": True, "index": index}

    def delete(self, index):
        if self.indexes.pop(index, None) is None:
            raise RefusedError(404, "index_not_found_exception")
        for behind in self.aliases.values():
            behind.discard(index)
        return {"acknowledged": True}

    def alias(self, alias):
        behind = self.aliases.get(alias)
        if not behind:
            raise RefusedError(404, f"alias [{alias}] missing")
        return {index: {"aliases": {alias: {}}} for index in behind}

    def change_aliases(self, actions):
        for action in actions:
            for what, place in action.items():
                change = {"add": set.add, "remove": set.discard}[what]
                change(self.aliases.setdefault(place["alias"], set()), place["index"])
        return {"acknowledged": True}

    def bulk(self, lines):
        items, rest = [], iter(lines)
        for line in rest:
            ((what, place),) = line.items()
            document = next(rest) if what == "index" else None
            items.append({what: {"_id": place["_id"], "status": self.write(place, document)}})
        return {"errors": any(status["status"] > 299 for item in items for status in item.values()), "items": items}

    def write(self, place, document):
        (index,) = self.aliases.get(place["_index"], {place["_index"]})
        assert place["version_type"] == "external_gte"
        known = self.versions[index].get(place["_id"], -1)
        if place["version"] < known:
            return 409
        self.versions[index][place["_id"]] = place["version"]
        was_there = self.indexes[index].pop(place["_id"], None) is not None
        if document is None:
            return 200 if was_there else 404
        if not self.mappings[index].keys() >= document.keys():
            return 400  # "dynamic": "strict"
        copied = [name for name in document if self.mappings[index][name].get("copy_to")]
        words = {name: text.lower().split() for name, text in document.items()}
        words["all"] = [word for name in copied for word in words[name]]
        self.indexes[index][place["_id"]] = words
        return 200 if was_there else 201

    def search(self, name, body):
        behind = self.aliases.get(name)
        if not behind:
            raise RefusedError(404, "index_not_found_exception")
        (index,) = behind
        documents = self.indexes[index]
        answer = {"took": 1, "timed_out": False, "hits": {"hits": []}}
        if "suggest" in body:
            answer["suggest"] = {key: suggest(documents, one) for key, one in body["suggest"].items()}
        hits = []
        for pk, words in documents.items():
            named = set()
            score = Scorer(documents, words, named).score(body["query"]) if "query" in body else None
            if score is not None:
                hits.append({"_index": index, "_id": pk, "_score": score, "matched_queries": sorted(named)})
        hits.sort(key=lambda hit: -hit["_score"])
        answer["hits"]["hits"] = hits[: body["size"]]
        return answer


class Scorer:
    """The score of one document, or None where it does not match."""

    def __init__(self, documents, words, named):
        self.documents, self.words, self.named = documents, words, named

    def score(self, query):
        ((kind, body),) = query.items()
        return getattr(self, f"_{kind}", self._unknown)(body)

    def _unknown(self, body):
        raise RefusedError(400, f"parsing_exception: {body}")

    def _bool(self, body):
        if body.keys() - {"must", "should", "must_not", "minimum_should_match", "boost", "_name"}:
            self._unknown(body)
        must = [self.score(one) for one in body.get("must", ())]
        should = [found for one in body.get("should", ()) if (found := self.score(one)) is not None]
        barred = any(self.score(one) is not None for one in body.get("must_not", ()))
        if None in must or barred or len(should) < body.get("minimum_should_match", 0):
            return None
        if "_name" in body:
            self.named.add(body["_name"])
        return body.get("boost", 1.0) * sum([*must, *should])

    def _dis_max(self, body):
        return max((found for one in body["queries"] if (found := self.score(one)) is not None), default=None)

    def _match(self, body):
        ((field, rule),) = body.items()
        assert rule["operator"] == "or"
        return self._best(field, set(rule["query"].split()).__contains__)

    def _prefix(self, body):
        ((field, rule),) = body.items()
        return 1.0 if self._best(field, lambda word: word.startswith(rule["value"])) is not None else None

    def _best(self, field, fits):
        """A word counts the more, the fewer documents hold it and the shorter the field."""
        words = self.words.get(field, [])
        if not any(map(fits, words)):
            return None
        holders = sum(any(map(fits, one.get(field, []))) for one in self.documents.values())
        return (1 + log(len(self.documents) / holders)) / (1 + len(words) / 10)


def suggest(documents, asked):
    """A term suggester with suggest_mode "missing"."""
    assert asked["term"]["suggest_mode"] == "missing" and asked["term"]["max_edits"] <= 2
    known = {word for words in documents.values() for word in words[asked["term"]["field"]]}
    word, options = asked["text"], []
    if word not in known:
        near = [(OSA.distance(word, one), one) for one in known if one[:1] == word[:1]]
        options = [
            {"text": one, "score": 1 - far / 10} for far, one in sorted(near) if far <= asked["term"]["max_edits"]
        ]
    return [{"text": word, "offset": 0, "length": len(word), "options": options[: asked["term"]["size"]]}]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        stand_in = self.server.stand_in
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        stand_in.calls.append((self.command, path))
        stand_in.authorisation = self.headers.get("Authorization")
        try:
            if stand_in.trouble:
                status, data = stand_in.trouble()
            else:
                status, data = 200, json.dumps(stand_in.answer(self.command, path, query, body)).encode()
        except RefusedError as error:
            status, data = error.args[0], json.dumps({"error": error.args[1], "status": error.args[0]}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815 (the names that http.server calls)

    def log_message(self, *args):
        """Quiet."""


class Running:
    """A stand-in on the loopback address; `url` is its address with a name and a password."""

    def __enter__(self):
        self.stand_in = StandIn()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.stand_in = self.stand_in
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.stand_in.url = f"http://shop:secret@127.0.0.1:{self._server.server_port}"
        return self.stand_in

    def __exit__(self, *error):
        self._server.shutdown()
        self._server.server_close()


def slow(seconds):
    def trouble():
        time.sleep(seconds)
        return 200, b"{}"

    return trouble
