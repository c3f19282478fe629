// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";
import {Call, Declaration, Fee, Leg} from "../types/Declaration.sol";

/// @notice EIP-712 struct hashes of a declaration and its parts.
/// @dev Fields whose calldata equals their encoding are copied in one go. An address with dirty upper bits is hashed
/// unchanged, so it matches no correctly hashed declaration.
library DeclarationHash {
    using EfficientHashLib for bytes32[];

    // Literals, since the compiler would hash concatenated strings at every use.
    bytes32 private constant EMPTY = keccak256("");
    /// @dev keccak256("Call(address target,bytes data,uint256 value)")
    bytes32 internal constant CALL_TYPEHASH = 0x96e412881b9055f40cc9a1b82ff7957e56c9d661e4493c769b55a42bc6b5ac7f;
    /// @dev keccak256("Fee(address receiver,uint256 cap)")
    bytes32 internal constant FEE_TYPEHASH = 0x986c82625e4df7a6eca146dd865b5ad369429a3a40797219601d982ebe8bf5cf;
    /// @dev keccak256 of "Leg(uint256 chainId,address inputToken,uint256 maxInput,Fee[] fees,address outputToken,uint256
    /// minOutput,Call[] customCalls,address bridgeAdapter,uint256 minBridged)" and the types that it uses
    bytes32 internal constant LEG_TYPEHASH = 0x670b86f790986e5b0a8e1414608140cbdce6743ecfad05aea21a5964b19e0520;
    /// @dev keccak256 of "Declaration(address factory,bytes16 paymentId,address owner,address executor,address
    /// destination,uint256 expiry,Leg[] legs)" and the types that it uses
    bytes32 internal constant DECLARATION_TYPEHASH = 0x1e6ed9d39366f1f1615bdcf9cf68cd3c360fa54ae6199ac00e9aeec515d96db3;

    /// @notice Struct hash of a declaration: the `signatory_declaration_hash`.
    function hash(Declaration calldata declaration) internal pure returns (bytes32 result) {
        bytes32 typehash = DECLARATION_TYPEHASH;
        bytes32 legs = _hashLegs(declaration.legs);
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            mstore(buffer, typehash)
            // From the factory to the expiry: six words.
            calldatacopy(add(buffer, 0x20), declaration, 0xc0)
            mstore(add(buffer, 0xe0), legs)
            result := keccak256(buffer, 0x100)
        }
    }

    /// @notice Hash of an array of calls.
    function hashCalls(Call[] calldata calls) internal pure returns (bytes32) {
        uint256 count = calls.length;
        if (count == 0) return EMPTY;
        bytes32[] memory hashes = EfficientHashLib.malloc(count);
        for (uint256 i = 0; i < count; i++) {
            Call calldata call = calls[i];
            bytes32 target = bytes32(uint256(uint160(call.target)));
            bytes32 data = EfficientHashLib.hashCalldata(call.data);
            hashes.set(i, EfficientHashLib.hash(CALL_TYPEHASH, target, data, bytes32(call.value)));
        }
        return hashes.hash();
    }

    function _hashLegs(Leg[] calldata legs) private pure returns (bytes32) {
        uint256 count = legs.length;
        bytes32[] memory hashes = EfficientHashLib.malloc(count);
        for (uint256 i = 0; i < count; i++) {
            hashes.set(i, _hashLeg(legs[i]));
        }
        return hashes.hash();
    }

    function _hashLeg(Leg calldata leg) private pure returns (bytes32 result) {
        bytes32 typehash = LEG_TYPEHASH;
        bytes32 fees = _hashFees(leg.fees);
        bytes32 customCalls = hashCalls(leg.customCalls);
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            mstore(buffer, typehash)
            // Nine words; the offsets of the two arrays are replaced by their hashes.
            calldatacopy(add(buffer, 0x20), leg, 0x120)
            mstore(add(buffer, 0x80), fees)
            mstore(add(buffer, 0xe0), customCalls)
            result := keccak256(buffer, 0x140)
        }
    }

    function _hashFees(Fee[] calldata fees) private pure returns (bytes32 result) {
        bytes32 typehash = FEE_TYPEHASH;
        assembly ("memory-safe") {
            let hashes := mload(0x40)
            let size := shl(5, fees.length)
            let buffer := add(hashes, size)
            mstore(buffer, typehash)
            for { let i := 0 } lt(i, size) { i := add(i, 0x20) } {
                // Two words each.
                calldatacopy(add(buffer, 0x20), add(fees.offset, shl(1, i)), 0x40)
                mstore(add(hashes, i), keccak256(buffer, 0x60))
            }
            result := keccak256(hashes, size)
        }
    }
}
