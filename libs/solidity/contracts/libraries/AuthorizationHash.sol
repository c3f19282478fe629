// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ServiceAuthorization} from "../types/ServiceAuthorization.sol";
import {DeclarationHash} from "./DeclarationHash.sol";

/// @notice EIP-712 digest that an owner signs.
library AuthorizationHash {
    bytes32 internal constant TYPEHASH = keccak256(
        "ServiceAuthorization(string description,Call[] actions,uint256 nonce,bytes32 signatory_declaration_hash,uint256 chain_id,bool accept_blame)"
        "Call(address target,bytes data,uint256 value)"
    );

    /// @dev Domain separator of {name: "OneTimeWallet", version: "1"}, without chain and contract: the message names
    /// the chain, and the declaration's hash the wallet. A literal, since the compiler would compute it at every use.
    bytes32 internal constant DOMAIN_SEPARATOR = 0xcd7d952eea7bc43fa2e62b54a46fc3cb7e24467553fd3b59e4333aa3b9934a01;

    /// @notice Digest of an authorization.
    function digest(ServiceAuthorization calldata authorization) internal pure returns (bytes32) {
        return MessageHashUtils.toTypedDataHash(
            DOMAIN_SEPARATOR,
            keccak256(
                abi.encode(
                    TYPEHASH,
                    keccak256(bytes(authorization.description)),
                    DeclarationHash.hashCalls(authorization.actions),
                    authorization.nonce,
                    authorization.signatory_declaration_hash,
                    authorization.chain_id,
                    authorization.accept_blame
                )
            )
        );
    }
}
