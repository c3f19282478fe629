// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call, Declaration} from "../types/Declaration.sol";
import {ServiceAuthorization} from "../types/ServiceAuthorization.sol";

/// @notice Holds one payment's funds. They leave only as declared or as the owner signed.
interface IOneTimeWallet {
    /// @notice Leg of this chain was executed.
    /// @param amount Amount converted, bridged or paid, without fees, in the leg's input token.
    /// @param fees Amount that each receiver got, in the leg's input token; 0 where the transfer failed.
    /// @param output Amount compared with the leg's minimum, in its output token.
    event LegExecuted(uint256 indexed leg, uint256 amount, uint256[] fees, uint256 output);
    /// @notice The calls that the owner signed were made.
    event Withdrawn(uint256 indexed nonce, bytes32 indexed declarationHash, bool acceptBlame);

    /// @notice The declaration is not this wallet's.
    error WrongDeclaration();
    /// @notice The declaration names another factory than this wallet's.
    error WrongFactory();
    /// @notice The leg or the authorization is for another chain.
    error WrongChain();
    /// @notice The caller is not the declared executor.
    error NotExecutor();
    /// @notice The owner has ended the executor's rights on this chain.
    error ExecutorEnded();
    /// @notice The declaration has expired.
    error DeclarationExpired();
    /// @notice The declaration has no leg with this index.
    error UnknownLeg();
    /// @notice A leg was already executed on this chain.
    error LegAlreadyExecuted();
    /// @notice The last leg names a bridge adapter, or one before it names none.
    error BridgeMisplaced();
    /// @notice A leg before the last has native currency or custom calls.
    error NotBridgeable();
    /// @notice The adapter did not take exactly the amount to bridge.
    error AllowanceLeft(uint256 allowance);
    /// @notice The number of fees differs from the declared one.
    error WrongFeeCount();
    /// @notice A fee exceeds its declared cap.
    error FeeAboveCap(uint256 fee);
    /// @notice Amount plus fees exceed the declared maximum.
    error InputAboveMaximum();
    /// @notice The nonce does not have the required layout.
    error MalformedNonce();
    /// @notice The authorization has expired.
    error AuthorizationDead();
    /// @notice The authorization was already used.
    error NonceAlreadyUsed();
    /// @notice The signature is not the owner's.
    error WrongSignature();

    /// @notice Executes this chain's leg: once, by the declared executor, before the declaration expires.
    /// @param amount Amount for the conversion, the bridge or the destination, in the input token.
    /// @param fees One per declared fee, in the input token, at most its cap.
    /// @param calls Route of the conversion; empty without one.
    function execute(
        Declaration calldata declaration,
        uint256 leg,
        uint256 amount,
        uint256[] calldata fees,
        Call[] calldata calls
    ) external;

    /// @notice Makes the calls that the owner signed. Anyone may submit them, even after the declaration expired.
    /// @param signature Owner's signature, by ECDSA or ERC-1271.
    function withdraw(
        Declaration calldata declaration,
        ServiceAuthorization calldata authorization,
        bytes calldata signature
    ) external;

    /// @notice Whether this chain's leg was executed (a declaration has at most one leg per chain).
    function legExecuted() external view returns (bool);

    /// @notice Whether the owner has ended the executor's rights on this chain.
    function executorEnded() external view returns (bool);

    /// @notice Whether an authorization with this nonce was used on this chain.
    function nonceUsed(uint256 nonce) external view returns (bool);

    /// @notice Hash of this wallet's declaration.
    function declarationHash() external view returns (bytes32);
}
