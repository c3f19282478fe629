// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call} from "./Declaration.sol";

/// @notice What an owner signs to move money out of a wallet. The fields are named as they are signed.
/// @param description Shown to the owner by the signing wallet.
/// @param actions Made by the wallet in this order; all of them succeed, or none is made.
/// @param nonce Time of death (64 bits, unix seconds), 64 zero bits, withdraw id (128 bits).
/// @param signatory_declaration_hash The EIP-712 struct hash of the wallet's declaration.
/// @param chain_id The only chain on which it holds.
/// @param accept_blame Ends the executor's rights on this chain for good.
struct ServiceAuthorization {
    string description;
    Call[] actions;
    uint256 nonce;
    bytes32 signatory_declaration_hash;
    uint256 chain_id;
    bool accept_blame;
}
