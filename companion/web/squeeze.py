"""Light answers: gzip for text, and nothing at all where the phone has it already."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

WORTH_IT = 600  # bytes; below this the gzip header eats the gain
TEXTS = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml")


def squeeze(app: Flask) -> None:
    """Compress text answers for those who take gzip."""

    @app.after_request
    def _squeeze(answer: Response) -> Response:
        if answer.mimetype not in TEXTS or (answer.is_streamed and not answer.direct_passthrough):
            return answer
        answer.vary.add("Accept-Encoding")
        if answer.status_code != 200 or "gzip" not in request.headers.get("Accept-Encoding", ""):
            return answer
        plain = _whole(answer)
        if len(plain) < WORTH_IT or "Content-Encoding" in answer.headers:
            return answer
        answer.set_data(gzip.compress(plain, 6, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        return answer


def _whole(answer: Response) -> bytes:
    """All of an answer; a file is read and closed at once, since its answer will hold the bytes instead."""
    if answer.direct_passthrough:
        file = answer.response
        answer.direct_passthrough = False
        answer.set_data(b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in file))
        if hasattr(file, "close"):
            file.close()
    return answer.get_data()
