import gzip
import io
import itertools
import json
import logging
import pickle
import unittest
import uuid
from typing import Any
from unittest import mock

from hostile import Answer, HostileServer, problem, response

from signalpost import Client, NoResponse, Problem, SignalpostError, UnexpectedResponse

KEY = "sk_live_secret"
ENDPOINT = {"id": "whs_1", "signing_secret": "whsec_secret"}
NEW_ENDPOINT: Any = {
    "url": "https://shop.example.com/webhooks",
    "event_types": ["cart.order.completed"],
    "notification_email": "ops@shop.example.com",
}
CREATED = response(201, {"data": ENDPOINT})
EMPTY_PAGE = response(200, {"data": [], "page": {"has_more": False}})


class WithServer(unittest.TestCase):
    """Runs each test with a server, and records the waits of the client instead of waiting."""

    def setUp(self) -> None:
        self.server = HostileServer()
        self.addCleanup(self.server.close)
        self.client = self.new_client()
        self.waits: list[float] = []
        waiting = mock.patch("signalpost._http.time.sleep", self.waits.append)
        waiting.start()
        self.addCleanup(waiting.stop)

    def new_client(self, **options: Any) -> Client:
        client = Client(self.server.url, KEY, **options)
        self.addCleanup(client.close)
        return client

    def create(self, **options: Any) -> Any:
        return self.client.webhooks.endpoints.create(**NEW_ENDPOINT, **options)

    def list_event_types(self) -> list[Any]:
        return list(self.client.webhooks.event_types.list())


class Changes(WithServer):
    def test_a_change_is_repeated_under_its_key_until_it_is_answered(self) -> None:
        # The first connection ends without a response, the second within one.
        self.server.add(lambda _: None, lambda connection: connection.sendall(CREATED[:-1]))
        self.server.add(problem(409, "idempotency_key_in_progress", Retry_After="1"), CREATED)
        self.assertEqual(self.create(), ENDPOINT)

        keys = {request.headers["idempotency-key"] for request in self.server.requests}
        self.assertEqual(len(self.server.requests), 4)
        self.assertEqual([uuid.UUID(key).version for key in keys], [4])
        for request in self.server.requests:
            self.assertEqual(request.headers["authorization"], f"Bearer {KEY}")
            self.assertEqual(request.headers["content-type"], "application/json")
            self.assertEqual(json.loads(request.body), NEW_ENDPOINT)

    def test_each_change_has_another_key(self) -> None:
        self.server.add(CREATED, CREATED)
        self.create()
        self.create()
        first, second = (request.headers["idempotency-key"] for request in self.server.requests)
        self.assertNotEqual(first, second)

    def test_a_given_key_is_sent_as_utf_8_and_is_in_the_error(self) -> None:
        self.server.add(*[problem(503, "service_unavailable")] * 4)
        with self.assertRaises(Problem) as raised:
            self.create(idempotency_key="order é 1")
        self.assertEqual(raised.exception.idempotency_key, "order é 1")
        keys = [request.headers["idempotency-key"] for request in self.server.requests]
        self.assertEqual(keys, ["order é 1"] * 4)

    def test_a_key_that_the_service_would_read_as_another_is_not_sent(self) -> None:
        for key in ("", " ", "a ", "a\nb", "a\0", "a" * 256, "\ud800"):
            with self.assertRaises(ValueError):
                self.create(idempotency_key=key)
        self.assertEqual(self.server.requests, [])

    def test_a_read_has_no_key_and_its_error_neither(self) -> None:
        self.server.add(problem(404, "not_found"))
        with self.assertRaises(Problem) as raised:
            self.client.webhooks.endpoints.retrieve("whs_1")
        self.assertIsNone(raised.exception.idempotency_key)
        self.assertNotIn("idempotency-key", self.server.requests[0].headers)

    def test_a_deletion_returns_nothing(self) -> None:
        self.server.add(b"HTTP/1.1 204 No Content\r\n\r\n")
        self.client.webhooks.endpoints.delete("whs_1")
        self.assertEqual(self.server.requests[0].method, "DELETE")

    def test_an_id_cannot_name_another_path(self) -> None:
        for id in ("", "..", "whs_1/secret-rotations", "whs_1?a", "whs_1#a", "whs_1\n", "whs_é"):
            with self.assertRaises(ValueError):
                self.client.webhooks.endpoints.delete(id)
        self.assertEqual(self.server.requests, [])


class Retries(WithServer):
    def test_waits_as_retry_after_asks_in_seconds_or_as_a_date(self) -> None:
        past, future = (f"Fri, 01 Jan {year} 12:00:00 GMT" for year in (2010, 2100))
        self.server.add(problem(429, "rate_limit_exceeded", Retry_After="7"))
        self.server.add(problem(503, "service_unavailable", Retry_After=past), EMPTY_PAGE)
        self.assertEqual(self.list_event_types(), [])
        seconds, until_date = self.waits
        self.assertTrue(7.1 <= seconds <= 7.2, seconds)
        self.assertTrue(0.2 <= until_date <= 0.4, until_date)

        self.server.add(problem(503, "service_unavailable", Retry_After=future))
        with self.assertRaises(Problem) as raised:
            self.list_event_types()
        self.assertGreater(raised.exception.retry_after or 0, 1_000_000_000)

    def test_waits_longer_each_time_when_no_time_is_named(self) -> None:
        for retry_after in ("soon", "-1", "1.5", ""):
            self.server.add(problem(503, "service_unavailable", Retry_After=retry_after))
        with self.assertRaises(Problem) as raised:
            self.list_event_types()
        self.assertIsNone(raised.exception.retry_after)
        for wait, longest in zip(self.waits, (0.2, 0.4, 0.8), strict=True):
            self.assertTrue(longest / 2 <= wait <= longest, self.waits)

    def test_asks_until_the_first_request_with_its_key_has_ended(self) -> None:
        self.client = self.new_client(retries=1)
        running = problem(409, "idempotency_key_in_progress", Retry_After="1")
        self.server.add(*[running] * 5, problem(503, "service_unavailable"), CREATED)
        self.assertEqual(self.create(), ENDPOINT)

    def test_asks_no_longer_than_its_deadline_for_the_first_request_with_its_key(self) -> None:
        self.client = self.new_client(deadline=5)
        self.server.add(problem(409, "idempotency_key_in_progress", Retry_After="5"))
        with self.assertRaises(Problem) as raised:
            self.create()
        self.assertEqual((raised.exception.status, self.waits), (409, []))

    def test_does_not_wait_longer_than_half_a_minute_but_says_how_long(self) -> None:
        self.server.add(problem(429, "rate_limit_exceeded", Retry_After="31"))
        with self.assertRaises(Problem) as raised:
            self.list_event_types()
        self.assertEqual((raised.exception.retry_after, self.waits), (31, []))

    def test_does_not_wait_beyond_the_deadline_of_the_call(self) -> None:
        self.client = self.new_client(deadline=5)
        self.server.add(problem(503, "service_unavailable", Retry_After="5"))
        with self.assertRaises(Problem):
            self.list_event_types()
        self.assertEqual(self.waits, [])

    def test_repeats_what_a_proxy_answers_while_the_service_restarts(self) -> None:
        self.server.add(response(502, b"<html>"), response(504, b""), EMPTY_PAGE)
        self.assertEqual(self.list_event_types(), [])

        self.server.add(*[response(502, b"<html>")] * 4)
        with self.assertRaises(UnexpectedResponse) as raised:
            self.list_event_types()
        self.assertEqual(raised.exception.status, 502)

    def test_repeats_no_other_refusal(self) -> None:
        refusals = [
            (400, "invalid_json"),
            (401, "unauthorized"),
            (409, "idempotency_key_conflict"),
            (409, "offer_state_conflict"),
            (422, "validation_failed"),
            (500, "internal_error"),
        ]
        for status, code in refusals:
            self.server.add(problem(status, code, Retry_After="1"))
            with self.assertRaises(Problem) as raised:
                self.create()
            self.assertEqual((raised.exception.status, raised.exception.code), (status, code))
        self.assertEqual(len(self.server.requests), len(refusals))

    def test_gives_up_after_its_retries(self) -> None:
        self.client = self.new_client(retries=1)
        self.server.add(lambda _: None, lambda _: None)
        with self.assertRaises(NoResponse) as raised:
            self.create(idempotency_key="key")
        self.assertEqual(raised.exception.idempotency_key, "key")
        self.assertEqual(len(self.server.requests), 2)

    def test_goes_through_the_proxy_of_the_environment_which_sees_no_key(self) -> None:
        def call(url: str, **environment: str) -> None:
            environment["HTTPS_PROXY"] = self.server.url
            self.server.add(lambda _: None)
            with mock.patch.dict("os.environ", environment, clear=True):
                client = Client(url, KEY, retries=0)
            with client, self.assertRaises(NoResponse):
                client.webhooks.endpoints.retrieve("whs_1")

        call("https://api.example.com")
        [request] = self.server.requests
        self.assertEqual((request.method, request.path), ("CONNECT", "api.example.com:443"))
        self.assertNotIn("authorization", request.headers)

        call("https://127.0.0.1:1", NO_PROXY="127.0.0.1")
        self.assertEqual(len(self.server.requests), 1)

    def test_says_that_nothing_listens(self) -> None:
        other = HostileServer()
        with Client(other.url, KEY) as client:
            other.close()
            with self.assertRaisesRegex(NoResponse, "refused"):
                client.webhooks.endpoints.retrieve("whs_1")


class Bounds(WithServer):
    """No server holds a client for longer, or makes it keep more, than it should."""

    def check_deadline(self, answer: Answer, **options: Any) -> None:
        self.client = self.new_client(deadline=0.2, **options)
        self.server.add(answer)
        with self.assertRaises(NoResponse):
            self.create()

    def test_a_server_that_answers_nothing_is_left_at_the_deadline(self) -> None:
        self.check_deadline(self.server.until_closed)

    def test_headers_byte_by_byte_are_left_at_the_deadline(self) -> None:
        self.check_deadline(self.server.byte_by_byte(b"HTTP/1.1 200 OK\r\nX-A: a"))

    def test_a_body_byte_by_byte_is_left_at_the_deadline(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n "
        self.check_deadline(self.server.byte_by_byte(head))

    def test_interim_responses_without_end_are_left_at_the_deadline(self) -> None:
        def answer(connection: Any) -> None:
            while True:
                connection.sendall(b"HTTP/1.1 102 Processing\r\n\r\n" * 100)

        self.check_deadline(answer)

    def test_a_body_without_end_is_left_after_64_mib(self) -> None:
        mebibytes = itertools.count()

        def answer(connection: Any) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in mebibytes:
                connection.sendall(b" " * 1_048_576)

        self.server.add(answer)
        with self.assertRaisesRegex(UnexpectedResponse, "more than 67108864 bytes"):
            self.list_event_types()
        # The sockets of both sides hold some of them.
        self.assertLess(next(mebibytes), 128)

    def test_a_packed_body_is_not_unpacked(self) -> None:
        self.server.add(response(200, gzip.compress(b" " * 1_000), Content_Encoding="gzip"))
        with self.assertRaisesRegex(UnexpectedResponse, "packed"):
            self.list_event_types()
        self.assertEqual(self.server.requests[0].headers["accept-encoding"], "identity")

    def test_headers_without_end_are_left(self) -> None:
        def answer(connection: Any) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
            while True:
                connection.sendall(b"a" * 65_536)

        self.client = self.new_client(retries=0)
        self.server.add(answer)
        with self.assertRaises(NoResponse):
            self.list_event_types()

    def test_no_cookie_is_kept(self) -> None:
        page = response(200, {"data": [], "page": {"has_more": False}}, Set_Cookie="a=b")
        self.server.add(page, page)
        self.list_event_types()
        self.list_event_types()
        self.assertNotIn("cookie", self.server.requests[1].headers)


class Answers(WithServer):
    def test_a_redirect_is_not_followed(self) -> None:
        for status in (301, 302, 303, 307, 308):
            self.server.add(response(status, b"", Location=f"{self.server.url}/stolen"))
            with self.assertRaisesRegex(UnexpectedResponse, "redirects"):
                self.create()
        self.assertEqual(len(self.server.requests), 5)

    def test_what_is_not_json_of_the_service_is_an_error_of_its_own(self) -> None:
        nested = b"[" * 100_000
        for body in (b"<html>", b"", b"\xff", nested, b"1" * 5_000, b"[]", b"{}", b"null"):
            for status in (200, 400):
                self.server.add(response(status, body))
                with self.assertRaises(UnexpectedResponse) as raised:
                    self.client.webhooks.endpoints.retrieve("whs_1")
                self.assertEqual(raised.exception.status, status)

    def test_a_list_that_is_none_is_an_error_of_its_own(self) -> None:
        more, end = {"has_more": True}, {"has_more": False}
        bodies: list[object] = [
            {"data": {}, "page": end},
            {"data": []},
            {"data": [], "page": more},
        ]
        for body in bodies:
            self.server.add(response(200, body))
            with self.assertRaises(UnexpectedResponse):
                self.list_event_types()

    def test_a_problem_has_what_the_service_says(self) -> None:
        self.server.add(problem(422, "validation_failed"))
        with self.assertRaises(Problem) as raised:
            self.create()
        error = raised.exception
        self.assertEqual((error.status, error.code, error.param), (422, "validation_failed", "url"))
        self.assertEqual(
            (error.title, error.detail), ("Refused", "One or more fields were refused.")
        )
        self.assertEqual(error.type, "https://api.example.com/problems/validation_failed")
        self.assertEqual(error.request_id, "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd")
        expected = [{"code": "required", "detail": "Is required.", "param": "url"}]
        self.assertEqual(error.errors, expected)
        text = "422 validation_failed: url: Is required. (req_00Q8sKq2Vn4LxT7mWb3Zp9Rd)"
        self.assertEqual(str(error), text)

    def test_param_names_the_first_refused_field(self) -> None:
        errors = [{"code": "a", "detail": "b"}, {"code": "a", "detail": "b", "param": "url"}]
        self.server.add(response(422, {"code": "validation_failed", "errors": errors}))
        with self.assertRaises(Problem) as raised:
            self.create()
        self.assertEqual(raised.exception.param, "url")

    def test_a_problem_of_a_hostile_server_prints_as_one_short_line(self) -> None:
        entry = {"code": 1, "detail": "\x1b[2J\r\n", "param": "\u202e" * 10_000}
        for errors in ([entry, None, "x"], "x", None, []):
            body = {"code": "a\nb", "title": [], "request_id": "\x07", "errors": errors}
            self.server.add(response(400, body))
            with self.assertRaises(Problem) as raised:
                self.create()
            self.assertTrue(str(raised.exception).isprintable())
            self.assertLess(len(str(raised.exception)), 3_000)
            self.assertIn(raised.exception.param, ("\u202e" * 10_000, None))
            for error in raised.exception.errors:
                self.assertEqual({type(text) for text in error.values()}, {str})

    def test_every_error_can_be_pickled(self) -> None:
        self.server.add(problem(422, "validation_failed"), response(200, b"<html>"))
        self.client = self.new_client(retries=0)
        for kind in (Problem, UnexpectedResponse, NoResponse):
            if kind is NoResponse:
                self.server.add(lambda _: None)
            with self.assertRaises(kind) as raised:
                self.create()
            copy = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual(vars(copy), vars(raised.exception))
            self.assertEqual(str(copy), str(raised.exception))
            self.assertIsInstance(copy, SignalpostError)

    def test_no_log_no_error_and_no_repr_has_a_secret(self) -> None:
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        root = logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        self.addCleanup(root.setLevel, level)
        self.addCleanup(root.removeHandler, handler)

        self.server.add(CREATED, problem(401, "unauthorized"))
        self.create()
        with self.assertRaises(Problem) as raised:
            self.create()
        printed = stream.getvalue() + repr(raised.exception) + repr(self.client)
        self.assertIn("HTTP Request", printed)
        self.assertNotIn(KEY, printed)
        self.assertNotIn("whsec_secret", printed)


class Pages(WithServer):
    def test_iterates_over_the_items_of_all_pages_as_they_are_needed(self) -> None:
        self.server.add(
            response(200, {"data": [1, 2], "page": {"has_more": True, "next_cursor": "a&b"}}),
            response(200, {"data": [3], "page": {"has_more": False}}),
        )
        deliveries = iter(self.client.webhooks.deliveries.list(status="failed", limit=2))
        self.assertEqual([next(deliveries), next(deliveries)], [1, 2])
        self.assertEqual(len(self.server.requests), 1)
        self.assertEqual(list(deliveries), [3])

        path = "/v1/webhooks/deliveries?status=failed&limit=2"
        paths = [request.path for request in self.server.requests]
        self.assertEqual(paths, [path, f"{path}&cursor=a%26b"])

    def test_goes_on_from_a_cursor(self) -> None:
        self.server.add(EMPTY_PAGE)
        pages = list(self.client.webhooks.endpoints.list(cursor="abc").pages())
        self.assertEqual(pages, [{"data": [], "page": {"has_more": False}}])
        self.assertEqual(self.server.requests[0].path, "/v1/webhooks/endpoints?cursor=abc")

    def test_iterates_over_numbered_pages(self) -> None:
        for number in (2, 3):
            body = {"data": [number], "pagination": {"total_pages": 3, "current_page": number}}
            self.server.add(response(200, body))
        listing = self.client.commerce.payments.list(page=2, buyer_email="a+b@shop.example")
        self.assertEqual(list(listing), [2, 3])
        query = "buyer_email=a%2Bb%40shop.example"
        paths = [request.path for request in self.server.requests]
        expected = [f"/v1/commerce/payments?page={number}&{query}" for number in (2, 3)]
        self.assertEqual(paths, expected)

    def test_reads_no_page_twice_when_the_last_one_went_meanwhile(self) -> None:
        for pages in (3, 1):
            body = {"data": [1], "pagination": {"total_pages": pages, "current_page": 1}}
            self.server.add(response(200, body))
        self.assertEqual(list(self.client.commerce.payments.list()), [1])

    def test_begins_anew_with_each_iteration(self) -> None:
        self.server.add(EMPTY_PAGE, EMPTY_PAGE)
        listing = self.client.webhooks.event_types.list()
        self.assertEqual([list(listing), list(listing)], [[], []])
        self.assertEqual(len(self.server.requests), 2)

    def test_a_cursor_that_leads_back_to_its_page_ends_in_an_error(self) -> None:
        page = response(200, {"data": [1], "page": {"has_more": True, "next_cursor": "a"}})
        self.server.add(page, page)
        with self.assertRaisesRegex(UnexpectedResponse, "without a next cursor"):
            self.list_event_types()


class Arguments(unittest.TestCase):
    def test_a_wrong_argument_is_refused_without_showing_the_key(self) -> None:
        url = "https://api.example.com"
        wrong: list[tuple[str, str, dict[str, Any]]] = [
            ("api.example.com", KEY, {}),
            ("ftp://api.example.com", KEY, {}),
            ("https://", KEY, {}),
            ("https://user:password@api.example.com", KEY, {}),
            (f"{url}?a", KEY, {}),
            (f"{url}#a", KEY, {}),
            (url, "", {}),
            (url, f"{KEY}\n", {}),
            (url, f"{KEY} x", {}),
            (url, KEY, {"deadline": 0}),
            (url, KEY, {"deadline": float("nan")}),
            (url, KEY, {"retries": -1}),
        ]
        for url, key, options in wrong:
            with self.assertRaises(ValueError) as raised:
                Client(url, key, **options)
            self.assertNotIn(KEY, str(raised.exception))
            self.assertNotIn("password", str(raised.exception))

    def test_a_client_closes_as_a_context_manager(self) -> None:
        with Client("https://api.example.com/", KEY) as client:
            self.assertNotIn(KEY, repr(client))
        with self.assertRaises(RuntimeError):
            client.webhooks.endpoints.retrieve("whs_1")


if __name__ == "__main__":
    unittest.main()
