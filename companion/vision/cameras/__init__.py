"""Where frames come from: the Pi's camera, a USB camera, a clip or folder. Each is a `Camera`."""

from companion.vision.cameras.clip import ClipCamera
from companion.vision.cameras.pi import PiCamera
from companion.vision.cameras.turned import TurnedCamera
from companion.vision.cameras.usb import UsbCamera

__all__ = ["ClipCamera", "PiCamera", "TurnedCamera", "UsbCamera"]
