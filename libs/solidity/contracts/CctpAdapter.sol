// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IBridgeAdapter} from "./interfaces/IBridgeAdapter.sol";
import {ITokenMessengerV2} from "./interfaces/ITokenMessengerV2.sol";
import {BridgeRequest} from "./types/BridgeRequest.sol";

/// @notice A chain as CCTP knows it.
/// @param domain CCTP's own number of the chain.
/// @param token What CCTP burns and mints there.
struct CctpChain {
    uint256 chainId;
    uint32 domain;
    address token;
}

/// @notice Carries by CCTP: burnt here, minted for the caller's address there. Nothing is ever refundable, because the
/// message of a burn stays valid and anyone may bring it to its chain.
contract CctpAdapter is IBridgeAdapter {
    using SafeERC20 for IERC20;

    /// @notice At one address on every chain.
    ITokenMessengerV2 public immutable messenger;
    /// @notice How final the burn has to be before it counts.
    uint32 public immutable minFinalityThreshold;
    /// @notice CCTP's number of a chain; meaningless where {tokenOf} is zero.
    mapping(uint256 chainId => uint32) public domainOf;
    /// @notice What CCTP burns and mints on a chain.
    mapping(uint256 chainId => address) public tokenOf;

    /// @notice CCTP does not carry this token from this chain to that token there.
    error UnsupportedRoute();
    /// @notice More would have to arrive than leaves.
    error MinimumAboveAmount();

    /// @param chains The same list on every chain.
    constructor(ITokenMessengerV2 messenger_, uint32 minFinalityThreshold_, CctpChain[] memory chains) {
        (messenger, minFinalityThreshold) = (messenger_, minFinalityThreshold_);
        for (uint256 i = 0; i < chains.length; i++) {
            domainOf[chains[i].chainId] = chains[i].domain;
            tokenOf[chains[i].chainId] = chains[i].token;
        }
    }

    /// @inheritdoc IBridgeAdapter
    function bridge(BridgeRequest calldata request) external {
        address arriving = tokenOf[request.destinationChainId];
        bool isKnown = request.token == tokenOf[block.chainid] && request.destinationToken == arriving;
        if (!isKnown || arriving == address(0)) revert UnsupportedRoute();
        if (request.minimum > request.amount) revert MinimumAboveAmount();

        IERC20(request.token).safeTransferFrom(msg.sender, address(this), request.amount);
        IERC20(request.token).forceApprove(address(messenger), request.amount);
        messenger.depositForBurn(
            request.amount,
            domainOf[request.destinationChainId],
            bytes32(uint256(uint160(msg.sender))),
            request.token,
            bytes32(0),
            request.amount - request.minimum,
            minFinalityThreshold
        );
    }
}
