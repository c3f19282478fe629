// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call, Declaration} from "../types/Declaration.sol";
import {ServiceAuthorization} from "../types/ServiceAuthorization.sol";

/// @notice Holds one payment's money, which leaves it as declared or as its owner signs, in no other way.
interface IOneTimeWallet {
    /// @notice This chain's leg is done.
    /// @param amount What was converted, carried or paid, without the fees, in the leg's input token.
    /// @param fees What each receiver got, in the leg's input token; 0 where the transfer failed.
    /// @param output What was counted against the leg's minimum, in its output token.
    event LegExecuted(uint256 indexed leg, uint256 amount, uint256[] fees, uint256 output);
    /// @notice The calls that the owner signed are made.
    event Withdrawn(uint256 indexed nonce, bytes32 indexed declarationHash, bool acceptBlame);

    /// @notice The declaration is not the one that this wallet was made for.
    error WrongDeclaration();
    /// @notice The declaration names another factory than the one that made this wallet.
    error WrongFactory();
    /// @notice The leg or the authorisation is for another chain.
    error WrongChain();
    /// @notice The caller is not the declared executor.
    error NotExecutor();
    /// @notice The owner has ended the executor's rights on this chain.
    error ExecutorEnded();
    /// @notice Too late to execute.
    error DeclarationExpired();
    /// @notice The declaration has no such leg.
    error UnknownLeg();
    /// @notice A leg has been executed on this chain.
    error LegAlreadyExecuted();
    /// @notice The last leg names a bridge adapter, or one before it names none.
    error BridgeMisplaced();
    /// @notice Native currency is not carried, nor are custom calls made before the last leg.
    error NotBridgeable();
    /// @notice The adapter has not taken exactly what it was to carry.
    error AllowanceLeft(uint256 allowance);
    /// @notice Not one fee for each declared one.
    error WrongFeeCount();
    /// @notice This fee is above its declared cap.
    error FeeAboveCap(uint256 fee);
    /// @notice Amount and fees are above the declared maximum.
    error InputAboveMaximum();
    /// @notice The nonce is not laid out as it has to be.
    error MalformedNonce();
    /// @notice The authorisation's time is over.
    error AuthorizationDead();
    /// @notice The authorisation has been used.
    error NonceAlreadyUsed();
    /// @notice The owner has not signed this.
    error WrongSignature();

    /// @notice Executes this chain's leg. Only the declared executor, before the declaration expires, once.
    /// @param amount What goes to the conversion, the bridge or the destination, in the input token.
    /// @param fees One for each declared fee, in the input token, at most its cap.
    /// @param calls The conversion's route; none when nothing is converted.
    function execute(
        Declaration calldata declaration,
        uint256 leg,
        uint256 amount,
        uint256[] calldata fees,
        Call[] calldata calls
    ) external;

    /// @notice Makes the calls that the owner signed. Anyone may submit them, also after the declaration expired.
    /// @param signature The owner's, by ECDSA or ERC-1271.
    function withdraw(
        Declaration calldata declaration,
        ServiceAuthorization calldata authorization,
        bytes calldata signature
    ) external;

    /// @notice Whether the leg of this chain has been executed (a declaration has at most one for each chain).
    function legExecuted() external view returns (bool);

    /// @notice Whether the owner has ended the executor's rights on this chain.
    function executorEnded() external view returns (bool);

    /// @notice Whether an authorisation with this nonce has been used on this chain.
    function nonceUsed(uint256 nonce) external view returns (bool);

    /// @notice The hash of the declaration that this wallet obeys.
    function declarationHash() external view returns (bytes32);
}
