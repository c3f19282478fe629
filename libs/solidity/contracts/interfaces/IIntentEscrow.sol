// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Order, RefundInstruction} from "../types/Order.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";

/// @notice State of an order's funds on its origin chain.
enum OrderStatus {
    Unknown,
    Open,
    Released,
    Refunded
}

/// @notice Holds a wallet's tokens (account `INTENT`) until a solver delivered on the other chain, or refunds them: as
/// the owner says, or to the wallet itself. Same address on both chains; an order opens on one and is filled on the other.
interface IIntentEscrow is IBridgeAdapter {
    /// @notice An order was opened with funds for its filler.
    event Open(bytes32 indexed orderId, address indexed wallet, Order order);
    /// @notice The recipient was paid, on the destination chain.
    event Filled(bytes32 indexed orderId, address indexed filler, uint256 amount);
    /// @notice The filler was paid, on the origin chain.
    event Released(bytes32 indexed orderId, address indexed filler, uint256 amount);
    /// @notice The funds were refunded: to the recipient, and the fee to its receiver.
    event Refunded(
        bytes32 indexed orderId, address indexed recipient, uint256 amount, address feeReceiver, uint256 fee
    );

    /// @notice The token is not accepted, or a cap would be exceeded.
    error AboveCap(address token, uint256 amount);
    /// @notice Origin and destination chain are the same.
    error SameChain();
    /// @notice The order's output is native currency or its minimum is zero.
    error NothingToDeliver();
    /// @notice The token delivered less than the requested amount.
    error WrongAmountReceived(uint256 received);
    /// @notice The order is for another chain.
    error WrongChain();
    /// @notice The fill deadline has passed.
    error FillWindowClosed();
    /// @notice The order is already filled.
    error AlreadyFilled();
    /// @notice The filler is the zero address.
    error NoFiller();
    /// @notice The order is not open here.
    error NotOpen();
    /// @notice The oracle has not recorded a fill.
    error NotFilled();
    /// @notice The order was filled, or can still be filled.
    error NotRefundable();
    /// @notice The caller is not the order's wallet.
    error NotWallet();
    /// @notice The signed text has expired.
    error RefundTextDead();
    /// @notice The signature is not the owner's.
    error WrongSignature();
    /// @notice The fee exceeds the order's input.
    error FeeAboveAmount();

    /// @notice Pays the recipient from the caller's tokens: once, by anyone, until the fill deadline, on the
    /// destination chain. Filling an order that is not open on its origin chain gives the tokens away.
    /// @param amount Amount to send, at least the minimum.
    /// @param filler Account that is owed the input on the origin chain.
    function fill(Order calldata order, uint256 amount, address filler) external;

    /// @notice Pays the filler that the oracle recorded. Callable by anyone.
    function release(Order calldata order) external;

    /// @notice Refunds as the owner's signed text says. Anyone may submit it.
    /// @param signature Owner's signature over {refundText}, by ECDSA or ERC-1271.
    function refund(Order calldata order, RefundInstruction calldata instruction, bytes calldata signature) external;

    /// @notice Refunds as the order's wallet says, which acts only on its owner's signature.
    function refundByWallet(Order calldata order, address recipient) external;

    /// @notice Refunds the whole input to the order's wallet, without a fee. Callable by anyone.
    function refundToWallet(Order calldata order) external;

    /// @notice Text that the owner signs as a personal message (EIP-191).
    function refundText(Order calldata order, RefundInstruction calldata instruction)
        external
        view
        returns (string memory);

    /// @notice Id of the order: a hash over all its fields, both chains and this escrow.
    function orderId(Order calldata order) external view returns (bytes32);

    /// @notice State of the order's funds; on its origin chain.
    function statusOf(bytes32 orderId) external view returns (OrderStatus);

    /// @notice Filler of the order, zero while unfilled; on its destination chain.
    function fillerOf(bytes32 orderId) external view returns (address);
}
