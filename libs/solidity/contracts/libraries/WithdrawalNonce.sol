// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Nonce with an expiry: 64 bits of unix seconds, 64 zero bits, 128 bits of withdraw id.
library WithdrawalNonce {
    /// @notice Whether the bits between time and id are zero.
    function isWellFormed(uint256 nonce) internal pure returns (bool) {
        return uint64(nonce >> 128) == 0;
    }

    /// @notice Whether the nonce has expired.
    function isDead(uint256 nonce) internal view returns (bool) {
        return block.timestamp >= nonce >> 192;
    }
}
