"""The operations of `/v1`. Each method is named as its operation: `webhooks.deliveries.list`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from . import types as t
from ._http import Requests
from .problems import UnexpectedResponse

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self, Unpack

Item = TypeVar("Item")
Body = TypeVar("Body")


class Client:
    """Calls the service at `url` with an API key; threads may share it.

    `deadline` bounds each call in seconds, with its repetitions and the waits between them, and
    `retries` how often it is repeated after a failure. Every method raises SignalpostError: Problem if the service refused, NoResponse
    if nothing complete arrived, UnexpectedResponse if something else answered.
    """

    def __init__(self, url: str, key: str, *, deadline: float = 120, retries: int = 3) -> None:
        self._requests = Requests(url, key, deadline, retries)
        self.webhooks = Webhooks(self._requests)
        self.commerce = Commerce(self._requests)

    def close(self) -> None:
        """Closes the idle connections."""
        self._requests.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class CreatedWebhookEndpoint(t.WebhookEndpoint, total=False):
    """An endpoint as it is shown once."""

    signing_secret: str
    """Absent if an earlier request under this key had made the change; then rotate the secret."""


class Listing(Generic[Item, Body]):
    """The items of a list, over all pages.

    Each iteration begins anew, and asks for a page when it is needed.
    """

    def __init__(self, pages: Callable[[], Iterator[Mapping[str, Any]]]) -> None:
        self._pages = pages

    def __iter__(self) -> Iterator[Item]:
        for page in self._pages():
            yield from page["data"]

    def pages(self) -> Iterator[Body]:
        """Iterates over whole pages, which have `data`, and `page` or `pagination`."""
        for page in self._pages():
            yield cast(Body, page)


class _Group:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def _read(self, path: str) -> Any:
        return _data(self._requests.send("GET", path), path)

    def _change(
        self, method: str, path: str, key: str | None, body: Mapping[str, object] | None = None
    ) -> Any:
        answer = self._requests.send(method, path, body=body, idempotency_key=key)
        return None if answer is None else _data(answer, path)

    def _page(self, path: str, query: Mapping[str, object]) -> Mapping[str, Any]:
        """Returns one page. Raises UnexpectedResponse unless it is one."""
        body = self._requests.send("GET", path, query=query)
        if isinstance(_data(body, path), list):
            return cast(Mapping[str, Any], body)
        raise UnexpectedResponse(f"{path} answered without a list", 200)

    def _by_cursor(self, path: str, query: Mapping[str, object]) -> Iterator[Mapping[str, Any]]:
        cursor = query.get("cursor")
        while True:
            body = self._page(path, {**query, "cursor": cursor})
            yield body

            page = _member(body, "page", path)
            if page.get("has_more") is not True:
                return
            # The same cursor again would never end.
            if not isinstance(page.get("next_cursor"), str) or page["next_cursor"] == cursor:
                raise UnexpectedResponse(f"{path} answered without a next cursor", 200)
            cursor = page["next_cursor"]

    def _by_number(self, path: str, query: Mapping[str, object]) -> Iterator[Mapping[str, Any]]:
        number = cast(int, query.get("page", 1))
        while True:
            body = self._page(path, {**query, "page": number})
            pagination = _member(body, "pagination", path)

            # Beyond the last page comes the last one again, when items went meanwhile.
            current = pagination.get("current_page")
            if isinstance(current, int) and current < number:
                return
            yield body

            total = pagination.get("total_pages")
            if not isinstance(total, int) or number >= total:
                return
            number += 1


class Webhooks(_Group):
    """Endpoints, their deliveries, and the event types they can subscribe to."""

    def __init__(self, requests: Requests) -> None:
        super().__init__(requests)
        self.endpoints = Endpoints(requests)
        self.deliveries = Deliveries(requests)
        self.event_types = EventTypes(requests)


class Endpoints(_Group):
    def __init__(self, requests: Requests) -> None:
        super().__init__(requests)
        self.event_subscriptions = EventSubscriptions(requests)
        self.secret_rotations = SecretRotations(requests)

    def create(
        self, *, idempotency_key: str | None = None, **body: Unpack[t.CreateWebhookEndpoint]
    ) -> CreatedWebhookEndpoint:
        """Creates a webhook endpoint; only this shows its signing secret."""
        path = "/v1/webhooks/endpoints"
        return cast(CreatedWebhookEndpoint, self._change("POST", path, idempotency_key, body))

    def list(
        self, **query: Unpack[t.WebhooksEndpointsListQuery]
    ) -> Listing[t.WebhookEndpoint, t.WebhookEndpointList]:
        """Lists webhook endpoints, newest first."""
        return Listing(lambda: self._by_cursor("/v1/webhooks/endpoints", query))

    def retrieve(self, id: str, /) -> t.WebhookEndpoint:
        """Retrieves a webhook endpoint."""
        return cast(t.WebhookEndpoint, self._read(f"/v1/webhooks/endpoints/{_segment(id)}"))

    def update(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[t.UpdateWebhookEndpoint],
    ) -> t.WebhookEndpoint:
        """Changes only the members that are given; `active=True` also clears `disabled_reason`."""
        path = f"/v1/webhooks/endpoints/{_segment(id)}"
        return cast(t.WebhookEndpoint, self._change("PATCH", path, idempotency_key, body))

    def delete(self, id: str, /, *, idempotency_key: str | None = None) -> None:
        """Deletes a webhook endpoint and its secrets; the service sends it nothing more."""
        self._change("DELETE", f"/v1/webhooks/endpoints/{_segment(id)}", idempotency_key)


class EventSubscriptions(_Group):
    def update(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[t.ReplaceEventSubscriptions],
    ) -> t.WebhookEndpoint:
        """Replaces the event types of a webhook endpoint."""
        path = f"/v1/webhooks/endpoints/{_segment(id)}/event-subscriptions"
        return cast(t.WebhookEndpoint, self._change("PUT", path, idempotency_key, body))


class SecretRotations(_Group):
    def create(self, id: str, /, *, idempotency_key: str | None = None) -> CreatedWebhookEndpoint:
        """Makes a secret, which only this shows; the previous one also signs for 24 hours."""
        path = f"/v1/webhooks/endpoints/{_segment(id)}/secret-rotations"
        return cast(CreatedWebhookEndpoint, self._change("POST", path, idempotency_key))


class Deliveries(_Group):
    def list(
        self, **query: Unpack[t.WebhooksDeliveriesListQuery]
    ) -> Listing[t.WebhookDelivery, t.WebhookDeliveryList]:
        """Lists the attempts of the last 30 days, newest first."""
        return Listing(lambda: self._by_cursor("/v1/webhooks/deliveries", query))

    def replay(self, id: str, /, *, idempotency_key: str | None = None) -> t.WebhookDelivery:
        """Sends the event of a delivery again, and returns the first attempt once it has ended."""
        path = f"/v1/webhooks/deliveries/{_segment(id)}/replay"
        return cast(t.WebhookDelivery, self._change("POST", path, idempotency_key))


class EventTypes(_Group):
    def list(self) -> Listing[t.EventType, t.EventTypeList]:
        """Lists the whole catalogue, sorted by category and id."""
        return Listing(lambda: self._by_cursor("/v1/webhooks/event-types", {}))


class Commerce(_Group):
    """Checkouts, and what follows from them. Only live keys may read it."""

    def __init__(self, requests: Requests) -> None:
        super().__init__(requests)
        self.checkouts = Checkouts(requests)
        self.orders = Orders(requests)
        self.payments = Payments(requests)
        self.refunds = Refunds(requests)
        self.invoices = Invoices(requests)
        self.offers = Offers(requests)


class Checkouts(_Group):
    def retrieve(self, id: str, /) -> t.Checkout:
        """Retrieves a checkout."""
        return cast(t.Checkout, self._read(f"/v1/commerce/checkouts/{_segment(id)}"))


class Orders(_Group):
    def list(self, **query: Unpack[t.CommerceOrdersListQuery]) -> Listing[t.Order, t.OrderList]:
        """Lists orders, newest first; an order that is made meanwhile can repeat another."""
        return Listing(lambda: self._by_number("/v1/commerce/orders", query))

    def retrieve(self, id: str, /) -> t.Order:
        """Retrieves an order."""
        return cast(t.Order, self._read(f"/v1/commerce/orders/{_segment(id)}"))


class Payments(_Group):
    def __init__(self, requests: Requests) -> None:
        super().__init__(requests)
        self.refunds = PaymentRefunds(requests)

    def list(
        self, **query: Unpack[t.CommercePaymentsListQuery]
    ) -> Listing[t.Payment, t.PaymentList]:
        """Lists payments, newest first; a payment that is made meanwhile can repeat another."""
        return Listing(lambda: self._by_number("/v1/commerce/payments", query))

    def retrieve(self, id: str, /) -> t.Payment:
        """Retrieves a payment."""
        return cast(t.Payment, self._read(f"/v1/commerce/payments/{_segment(id)}"))


class PaymentRefunds(_Group):
    def create(
        self, id: str, /, *, idempotency_key: str | None = None, **body: Unpack[t.CreateRefund]
    ) -> t.Refund:
        """Refunds a payment, the remaining amount unless another is given."""
        path = f"/v1/commerce/payments/{_segment(id)}/refunds"
        return cast(t.Refund, self._change("POST", path, idempotency_key, body))


class Refunds(_Group):
    def list(self, **query: Unpack[t.CommerceOrdersListQuery]) -> Listing[t.Refund, t.RefundList]:
        """Lists refunds, newest first; a refund that is made meanwhile can repeat another."""
        return Listing(lambda: self._by_number("/v1/commerce/refunds", query))

    def retrieve(self, id: str, /) -> t.Refund:
        """Retrieves a refund."""
        return cast(t.Refund, self._read(f"/v1/commerce/refunds/{_segment(id)}"))


class Invoices(_Group):
    def list(self, **query: Unpack[t.CommerceOrdersListQuery]) -> Listing[t.Invoice, t.InvoiceList]:
        """Lists invoices and credit notes; one issued meanwhile can repeat another."""
        return Listing(lambda: self._by_number("/v1/commerce/invoices", query))

    def retrieve(self, id: str, /) -> t.Invoice:
        """Retrieves an invoice or a credit note."""
        return cast(t.Invoice, self._read(f"/v1/commerce/invoices/{_segment(id)}"))


class Offers(_Group):
    def create(
        self, *, idempotency_key: str | None = None, **body: Unpack[t.CreateOffer]
    ) -> t.Offer:
        """Creates a draft; sends no mail."""
        return cast(t.Offer, self._change("POST", "/v1/commerce/offers", idempotency_key, body))

    def send(self, id: str, /, *, idempotency_key: str | None = None) -> t.Offer:
        """Mails the URL of a draft to its recipient."""
        return self._step(id, "send", idempotency_key)

    def resend(self, id: str, /, *, idempotency_key: str | None = None) -> t.Offer:
        """Mails a sent offer again."""
        return self._step(id, "resend", idempotency_key)

    def cancel(self, id: str, /, *, idempotency_key: str | None = None) -> t.Offer:
        """Withdraws a draft or a sent offer."""
        return self._step(id, "cancel", idempotency_key)

    def _step(self, id: str, step: str, key: str | None) -> t.Offer:
        path = f"/v1/commerce/offers/{_segment(id)}/{step}"
        return cast(t.Offer, self._change("POST", path, key))


def _segment(id: str) -> str:
    # An empty id would call the list, and one with a slash another operation.
    if not re.fullmatch(r"[A-Za-z0-9_-]+", id):
        raise ValueError("id must have only letters, digits, _ and -")
    return id


def _member(body: Any, name: str, path: str) -> Mapping[str, Any]:
    member = body.get(name) if isinstance(body, dict) else None
    if not isinstance(member, dict):
        raise UnexpectedResponse(f"{path} answered without {name}", 200)
    return member


def _data(body: Any, path: str) -> Any:
    if not isinstance(body, dict) or "data" not in body:
        raise UnexpectedResponse(f"{path} answered without data", 200)
    return body["data"]
