"""The client of Signalpost: calls `/v1`, and verifies what a receiver is sent."""

__version__ = "2.0.0"

from . import types
from .client import Client, CreatedWebhookEndpoint, Listing
from .problems import NoResponse, Problem, SignalpostError, UnexpectedResponse
from .webhooks import VerificationError, verify

__all__ = [
    "Client",
    "CreatedWebhookEndpoint",
    "Listing",
    "NoResponse",
    "Problem",
    "SignalpostError",
    "UnexpectedResponse",
    "VerificationError",
    "types",
    "verify",
]
