// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice One call, exactly as it is made.
/// @param value Native currency sent along, in wei.
struct Call {
    address target;
    bytes data;
    uint256 value;
}

/// @notice A fee that a leg may take.
/// @param cap The most that may be taken, in the smallest unit of the leg's input token.
struct Fee {
    address receiver;
    uint256 cap;
}

/// @notice What happens on one chain. The zero address stands for the native currency.
/// @param maxInput The most that may leave the wallet, fees included, in the input token's smallest unit.
/// @param minOutput The least that must arrive, in the output token's smallest unit.
/// @param customCalls Calls made with the output, before what is left of it is paid.
/// @param bridgeAdapter Carries the output to this wallet on the next leg's chain; zero pays the destination.
/// @param minBridged The least that must arrive on the next chain, in the smallest unit of its input token.
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

/// @notice What a payment may do with its money: outcomes, not routes. Its hash makes the wallet's address.
/// @param paymentId The payment's UUID.
/// @param owner Whose signature moves everything that the legs do not.
/// @param executor The only one who may execute the legs.
/// @param expiry Unix time in seconds from which no leg may be executed.
/// @param legs In order of execution, at most one for each chain.
struct Declaration {
    address factory;
    bytes16 paymentId;
    address owner;
    address executor;
    address destination;
    uint256 expiry;
    Leg[] legs;
}
