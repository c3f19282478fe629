// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Order, RefundInstruction} from "../types/Order.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";

/// @notice What an order's money can have become on its origin chain.
enum OrderStatus {
    Unknown,
    Open,
    Released,
    Refunded
}

/// @notice The `INTENT` account: holds a wallet's tokens until somebody has delivered on the other chain, or returns them
/// where the owner says. It stands at the same address on both chains; an order opens on one and is filled on the other.
interface IIntentEscrow is IBridgeAdapter {
    /// @notice Money waits for whoever fills the order.
    event Open(bytes32 indexed orderId, address indexed wallet, Order order);
    /// @notice The recipient has been paid, on the destination chain.
    event Filled(bytes32 indexed orderId, address indexed filler, uint256 amount);
    /// @notice The filler has been paid, on the origin chain.
    event Released(bytes32 indexed orderId, address indexed filler, uint256 amount);
    /// @notice The money has gone back: to the recipient, and the fee to its receiver.
    event Refunded(
        bytes32 indexed orderId, address indexed recipient, uint256 amount, address feeReceiver, uint256 fee
    );

    /// @notice The token is not held, or no more of it in one order or altogether.
    error AboveCap(address token, uint256 amount);
    /// @notice The order would stay on its chain.
    error SameChain();
    /// @notice The order asks for native currency or for nothing.
    error NothingToDeliver();
    /// @notice The token did not deliver what was asked for.
    error WrongAmountReceived(uint256 received);
    /// @notice The order belongs on another chain.
    error WrongChain();
    /// @notice Too late to fill.
    error FillWindowClosed();
    /// @notice Somebody has filled it already.
    error AlreadyFilled();
    /// @notice Nobody would be owed anything.
    error NoFiller();
    /// @notice There is no such order here with money in it.
    error NotOpen();
    /// @notice Nobody has said that it was filled.
    error NotFilled();
    /// @notice The order was filled, or can still be.
    error NotRefundable();
    /// @notice The caller is not the wallet that made the order.
    error NotWallet();
    /// @notice The signed text is worth nothing any more.
    error RefundTextDead();
    /// @notice The text is not signed by the owner.
    error WrongSignature();
    /// @notice The fee is more than there is.
    error FeeAboveAmount();

    /// @notice Pays the recipient from the caller's tokens. Anyone may, once, until the fill deadline, on the
    /// destination chain. Whoever fills what is not open elsewhere has given their tokens away.
    /// @param amount What is sent, at least the minimum.
    /// @param filler Who is owed the input on the origin chain.
    function fill(Order calldata order, uint256 amount, address filler) external;

    /// @notice Pays the filler of whom the oracle speaks. Anyone may.
    function release(Order calldata order) external;

    /// @notice Pays where the owner's signed text says. Anyone may submit it.
    /// @param signature The owner's, over {refundText}, by ECDSA or ERC-1271.
    function refund(Order calldata order, RefundInstruction calldata instruction, bytes calldata signature) external;

    /// @notice Pays where the order's wallet says, which obeys its owner's signature only.
    function refundByWallet(Order calldata order, address recipient) external;

    /// @notice The text that the owner signs as a personal message (EIP-191).
    function refundText(Order calldata order, RefundInstruction calldata instruction)
        external
        view
        returns (string memory);

    /// @notice The order's id: it covers all of it, both chains and this escrow.
    function orderId(Order calldata order) external view returns (bytes32);

    /// @notice What became of the order's money; on its origin chain.
    function statusOf(bytes32 orderId) external view returns (OrderStatus);

    /// @notice Who has filled the order, with zero while nobody has; on its destination chain.
    function fillerOf(bytes32 orderId) external view returns (address);
}
