// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice A call to make.
/// @param value Native currency to send, in wei.
struct Call {
    address target;
    bytes data;
    uint256 value;
}

/// @notice A fee of a leg.
/// @param cap Maximum fee, in the smallest unit of the leg's input token.
struct Fee {
    address receiver;
    uint256 cap;
}

/// @notice Steps on one chain. The zero address is native currency.
/// @param maxInput Maximum to leave the wallet, fees included, in the input token's smallest unit.
/// @param minOutput Minimum to arrive, in the output token's smallest unit.
/// @param customCalls Calls that the wallet's runner makes with the output, before it sends the rest to the destination.
/// @param bridgeAdapter Bridges the output to this wallet on the next leg's chain; zero pays the destination.
/// @param minBridged Minimum to arrive on the next chain, in the smallest unit of its input token.
struct Leg {
    uint256 chainId;
    address inputToken;
    uint256 maxInput;
    Fee[] fees;
    address outputToken;
    uint256 minOutput;
    Call[] customCalls;
    address bridgeAdapter;
    uint256 minBridged;
}

/// @notice Permitted outcomes of a payment's funds, not routes. Its hash determines the wallet's address.
/// @param paymentId UUID of the payment.
/// @param owner Account whose signature moves funds outside the legs.
/// @param executor Only account that may execute legs.
/// @param expiry Unix time in seconds from which no leg may be executed.
/// @param legs Legs in order of execution, at most one per chain.
struct Declaration {
    address factory;
    bytes16 paymentId;
    address owner;
    address executor;
    address destination;
    uint256 expiry;
    Leg[] legs;
}
