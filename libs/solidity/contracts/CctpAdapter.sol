// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IBridgeAdapter} from "./interfaces/IBridgeAdapter.sol";
import {ITokenMessengerV2} from "./interfaces/ITokenMessengerV2.sol";
import {BridgeRequest} from "./types/BridgeRequest.sol";

/// @notice A chain in CCTP's terms.
/// @param domain CCTP's identifier of the chain.
/// @param token Token that CCTP burns and mints there.
struct CctpChain {
    uint256 chainId;
    uint32 domain;
    address token;
}

/// @notice Bridges by CCTP: burns here, mints to the caller's address there. Nothing is refundable, because a burn's
/// message stays valid and anyone may submit it on its chain.
contract CctpAdapter is IBridgeAdapter {
    using SafeERC20 for IERC20;

    /// @notice CCTP's messenger, at the same address on every chain.
    ITokenMessengerV2 public immutable messenger;
    /// @notice Finality that the burn needs before CCTP attests it.
    uint32 public immutable minFinalityThreshold;
    /// @notice CCTP's domain of a chain; meaningless where {tokenOf} is zero.
    mapping(uint256 chainId => uint32) public domainOf;
    /// @notice Token that CCTP burns and mints on a chain.
    mapping(uint256 chainId => address) public tokenOf;

    /// @notice CCTP does not bridge this token to that token on that chain.
    error UnsupportedRoute();
    /// @notice The minimum exceeds the amount.
    error MinimumAboveAmount();

    /// @param chains All chains: the same list on each.
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
