// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call, Declaration, Fee, Leg} from "../types/Declaration.sol";

/// @notice EIP-712 struct hashes of a declaration and of its parts.
library DeclarationHash {
    string private constant CALL = "Call(address target,bytes data,uint256 value)";
    string private constant FEE = "Fee(address receiver,uint256 cap)";
    string private constant LEG =
        "Leg(uint256 chainId,address inputToken,uint256 maxInput,Fee[] fees,address outputToken,uint256 minOutput,Call[] customCalls,address bridgeAdapter,uint256 minBridged)";
    string private constant DECLARATION =
        "Declaration(address factory,bytes16 paymentId,address owner,address executor,address destination,uint256 expiry,Leg[] legs)";

    bytes32 internal constant CALL_TYPEHASH = keccak256(bytes(CALL));
    bytes32 internal constant FEE_TYPEHASH = keccak256(bytes(FEE));
    bytes32 internal constant LEG_TYPEHASH = keccak256(abi.encodePacked(LEG, CALL, FEE));
    bytes32 internal constant DECLARATION_TYPEHASH = keccak256(abi.encodePacked(DECLARATION, CALL, FEE, LEG));

    /// @notice The `signatory_declaration_hash`.
    function hash(Declaration calldata declaration) internal pure returns (bytes32) {
        bytes32[] memory legs = new bytes32[](declaration.legs.length);
        for (uint256 i = 0; i < legs.length; i++) {
            legs[i] = _hashLeg(declaration.legs[i]);
        }
        return keccak256(
            abi.encode(
                DECLARATION_TYPEHASH,
                declaration.factory,
                declaration.paymentId,
                declaration.owner,
                declaration.executor,
                declaration.destination,
                declaration.expiry,
                keccak256(abi.encodePacked(legs))
            )
        );
    }

    function hashCalls(Call[] calldata calls) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < hashes.length; i++) {
            Call calldata call = calls[i];
            hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, call.target, keccak256(call.data), call.value));
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function _hashLeg(Leg calldata leg) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                LEG_TYPEHASH,
                leg.chainId,
                leg.inputToken,
                leg.maxInput,
                _hashFees(leg.fees),
                leg.outputToken,
                leg.minOutput,
                hashCalls(leg.customCalls),
                leg.bridgeAdapter,
                leg.minBridged
            )
        );
    }

    function _hashFees(Fee[] calldata fees) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](fees.length);
        for (uint256 i = 0; i < hashes.length; i++) {
            hashes[i] = keccak256(abi.encode(FEE_TYPEHASH, fees[i].receiver, fees[i].cap));
        }
        return keccak256(abi.encodePacked(hashes));
    }
}
