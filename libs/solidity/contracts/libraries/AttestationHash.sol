// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Outcome} from "../interfaces/IFillOracle.sol";

/// @notice EIP-712 digest that attesters sign.
library AttestationHash {
    bytes32 internal constant TYPEHASH = keccak256("FillAttestation(bytes32 orderId,uint8 outcome,address filler)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice Digest for this chain and the given oracle only.
    /// @dev Not cached: the chain id in the code would give the oracle another address on each chain.
    function digest(bytes32 orderId, Outcome outcome, address filler, address oracle) internal view returns (bytes32) {
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("AttesterOracle"), keccak256("1"), block.chainid, oracle));
        return MessageHashUtils.toTypedDataHash(domain, keccak256(abi.encode(TYPEHASH, orderId, outcome, filler)));
    }
}
