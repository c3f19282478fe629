// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// @notice Where the factories of this version put wallets, and what a wallet carries.
library WalletAddress {
    /// @dev Code of a minimal proxy (ERC-1167), after which the declaration's hash stands.
    uint256 private constant PROXY_SIZE = 0x2d;

    /// @notice The first contract that the factory made, in its constructor: the code behind its wallets.
    function implementationOf(address factory) internal pure returns (address) {
        // RLP of (factory, nonce 1).
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", factory, hex"01")))));
    }

    /// @notice Where the declaration's wallet is or will be, the same on every chain.
    function predict(address factory, bytes32 declarationHash) internal pure returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            implementationOf(factory), abi.encode(declarationHash), bytes32(0), factory
        );
    }

    /// @notice The hash that the wallet which runs this code was made for.
    function ownDeclarationHash() internal view returns (bytes32 hash) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, PROXY_SIZE, 0x20)
            hash := mload(0x00)
        }
    }
}
