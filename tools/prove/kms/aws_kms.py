"""Serves moto's AWS KMS at a port until standard input ends.

moto 5.2.5 ignores MessageType and hashes a digest again; AWS signs the digest itself (getmoto/moto#10202).
"""

import logging
import sys
import threading

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from moto.kms.responses import KmsResponse
from moto.kms.utils import ECDSAPrivateKey
from moto.server import ThreadedMotoServer

request = threading.local()
sign_request = KmsResponse.sign
sign_message = ECDSAPrivateKey.sign


def remember_type(self):
    request.is_digest = self._get_param("MessageType") == "DIGEST"
    return sign_request(self)


def sign(self, message, signing_algorithm):
    if not request.is_digest:
        return sign_message(self, message, signing_algorithm)
    assert signing_algorithm == "ECDSA_SHA_256", signing_algorithm
    return self.private_key.sign(message, ec.ECDSA(Prehashed(hashes.SHA256())))


KmsResponse.sign = remember_type
ECDSAPrivateKey.sign = sign

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]), verbose=False)
server.start()
print("ready", flush=True)
sys.stdin.read()
server.stop()
