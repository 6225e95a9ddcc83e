"""The pages and the JSON interface: the table as phones, the table screen and scripts see it."""

from companion.web.app import create_app

__all__ = ["create_app"]
