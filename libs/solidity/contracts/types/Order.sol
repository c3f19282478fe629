// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Funds in the escrow of the origin chain, owed to whoever delivers on the destination chain.
/// @param wallet Wallet that opened the order; takes a refund by a call.
/// @param owner Account that takes a refund by a signed text.
/// @param inputAmount Amount owed to the filler, in the input token's smallest unit.
/// @param recipient Account paid on the destination chain.
/// @param minimum Minimum for the recipient, in the output token's smallest unit.
/// @param nonce Makes the order unique in its escrow.
/// @param fillDeadline Last second in which it can be filled, in unix time of the destination chain.
/// @param expires Unix time of the origin chain from which it is refundable without an outcome.
/// @param oracle Oracle whose outcome the escrow accepts for this order.
struct Order {
    address wallet;
    address owner;
    uint256 originChainId;
    address inputToken;
    uint256 inputAmount;
    uint256 destinationChainId;
    address outputToken;
    address recipient;
    uint256 minimum;
    uint256 nonce;
    uint256 fillDeadline;
    uint256 expires;
    address oracle;
}

/// @notice Refund as stated in the owner's text.
/// @param recipient Account that receives the order's input, less the fee.
/// @param feeReceiver Account that receives the fee.
/// @param fee Fee in the input token's smallest unit.
/// @param validUntil Unix time in seconds from which the text is invalid.
struct RefundInstruction {
    address recipient;
    address feeReceiver;
    uint256 fee;
    uint256 validUntil;
}
