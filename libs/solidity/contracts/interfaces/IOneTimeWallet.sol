// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call, Declaration} from "../types/Declaration.sol";
import {ServiceAuthorization} from "../types/ServiceAuthorization.sol";

/// @notice Holds one payment's money, which leaves it as declared or as its owner signs, in no other way.
interface IOneTimeWallet {
    /// @param amount What was converted or paid, without the fees, in the leg's input token.
    /// @param fees What each receiver got, in the leg's input token; 0 where the transfer failed.
    /// @param output What was counted against the leg's minimum, in its output token.
    event LegExecuted(uint256 indexed leg, uint256 amount, uint256[] fees, uint256 output);
    event Withdrawn(uint256 indexed nonce, bytes32 indexed declarationHash, bool acceptBlame);

    error WrongDeclaration();
    error WrongFactory();
    error WrongChain();
    error NotExecutor();
    error ExecutorEnded();
    error DeclarationExpired();
    error UnknownLeg();
    error LegAlreadyExecuted();
    error BridgingNotSupported();
    error WrongFeeCount();
    error FeeAboveCap(uint256 fee);
    error InputAboveMaximum();
    error MalformedNonce();
    error AuthorizationDead();
    error NonceAlreadyUsed();
    error WrongSignature();

    /// @notice Executes this chain's leg. Only the declared executor, before the declaration expires, once.
    /// @param amount What goes to the conversion or the destination, in the input token.
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

    function nonceUsed(uint256 nonce) external view returns (bool);

    /// @notice The hash of the declaration that this wallet obeys.
    function declarationHash() external view returns (bytes32);
}
