// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// @notice Addresses of wallets, and the hash that a wallet holds.
library WalletAddress {
    /// @dev Code of a minimal proxy (ERC-1167), followed by the declaration's hash.
    uint256 private constant PROXY_SIZE = 0x2d;

    /// @notice Implementation of the factory's wallets: the first contract it deployed, in its constructor.
    function implementationOf(address factory) internal pure returns (address) {
        // RLP of (factory, nonce 1).
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", factory, hex"01")))));
    }

    /// @notice Address of the declaration's wallet, deployed or not; the same on every chain.
    function predict(address factory, bytes32 declarationHash) internal pure returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            implementationOf(factory), abi.encode(declarationHash), bytes32(0), factory
        );
    }

    /// @notice Declaration hash of the wallet that runs this code.
    function ownDeclarationHash() internal view returns (bytes32 hash) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, PROXY_SIZE, 0x20)
            hash := mload(0x00)
        }
    }
}
