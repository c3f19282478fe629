// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call} from "./Declaration.sol";

/// @notice Message that an owner signs to move funds out of a wallet. Fields are named as in the signed type.
/// @param description Text shown to the owner by the signing wallet.
/// @param actions Calls made by the wallet in this order; all succeed, or none is made.
/// @param nonce Expiry (64 bits, unix seconds), 64 zero bits, withdraw id (128 bits).
/// @param signatory_declaration_hash EIP-712 struct hash of the wallet's declaration.
/// @param chain_id Only chain on which it is valid.
/// @param accept_blame Ends the executor's rights on this chain permanently.
struct ServiceAuthorization {
    string description;
    Call[] actions;
    uint256 nonce;
    bytes32 signatory_declaration_hash;
    uint256 chain_id;
    bool accept_blame;
}
