// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice Signature checks for owners: a key, a contract, or a key with code.
library OwnerSignature {
    /// @notice Whether the owner signed, by ECDSA or ERC-1271.
    /// @dev ECDSA first: an EIP-7702 account has code and still signs with its key.
    function isSignedBy(bytes32 digest, address owner, bytes calldata signature) internal view returns (bool) {
        (address signer, ECDSA.RecoverError error,) = ECDSA.tryRecoverCalldata(digest, signature);
        return (error == ECDSA.RecoverError.NoError && signer == owner)
            || SignatureChecker.isValidERC1271SignatureNowCalldata(owner, digest, signature);
    }
}
