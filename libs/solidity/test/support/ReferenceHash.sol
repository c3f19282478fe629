// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DeclarationHash} from "../../contracts/libraries/DeclarationHash.sol";
import {Call, Declaration, Fee, Leg} from "../../contracts/types/Declaration.sol";

/// @notice Reference implementation of the declaration's EIP-712 hash, written for clarity rather than gas.
library ReferenceHash {
    function hash(Declaration memory declaration) internal pure returns (bytes32) {
        bytes32[] memory legs = new bytes32[](declaration.legs.length);
        for (uint256 i = 0; i < legs.length; i++) {
            legs[i] = hash(declaration.legs[i]);
        }
        return keccak256(
            abi.encode(
                DeclarationHash.DECLARATION_TYPEHASH,
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

    function hash(Leg memory leg) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                DeclarationHash.LEG_TYPEHASH,
                leg.chainId,
                leg.inputToken,
                leg.maxInput,
                hash(leg.fees),
                leg.outputToken,
                leg.minOutput,
                hash(leg.customCalls),
                leg.bridgeAdapter,
                leg.minBridged
            )
        );
    }

    function hash(Fee[] memory fees) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](fees.length);
        for (uint256 i = 0; i < hashes.length; i++) {
            hashes[i] = keccak256(abi.encode(DeclarationHash.FEE_TYPEHASH, fees[i].receiver, fees[i].cap));
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function hash(Call[] memory calls) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < hashes.length; i++) {
            Call memory call = calls[i];
            hashes[i] =
                keccak256(abi.encode(DeclarationHash.CALL_TYPEHASH, call.target, keccak256(call.data), call.value));
        }
        return keccak256(abi.encodePacked(hashes));
    }
}
