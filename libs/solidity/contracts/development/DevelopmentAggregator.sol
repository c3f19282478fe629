// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Currency} from "../libraries/Currency.sol";

/// @notice An aggregator's contract on the development chains, called in the formats of LI.FI and 0x. It takes tokens
/// that the caller granted, makes the calls of the swap, and pays the output. Its owner sets what share it pays.
contract DevelopmentAggregator is Ownable {
    using SafeERC20 for IERC20;
    using Currency for address;

    /// @notice One call of a swap, as LI.FI's facets describe it.
    struct SwapData {
        address callTo;
        address approveTo;
        address sendingAssetId;
        address receivingAssetId;
        uint256 fromAmount;
        bytes callData;
        bool requiresDeposit;
    }

    /// @notice Output of a swap through 0x, as its Settler describes it.
    struct AllowedSlippage {
        address payable recipient;
        address buyToken;
        uint256 minAmountOut;
    }

    uint256 private constant ALL_BPS = 10_000;
    bytes4 private constant EXECUTE = 0x1fff991f;

    string public name;
    /// @dev Above ten thousand the contract adds tokens of its own; zero is all of the output.
    mapping(address outputToken => uint256) private _payoutBps;

    event Swapped(address indexed caller, address indexed receiver, address outputToken, uint256 output);

    error UnknownFunction();

    constructor(string memory name_, address owner) Ownable(owner) {
        name = name_;
    }

    receive() external payable {}

    /// @notice Share of a swap's output that it pays from now on, in basis points.
    function setPayout(address outputToken, uint256 bps) external onlyOwner {
        _payoutBps[outputToken] = bps;
    }

    function payoutBps(address outputToken) public view returns (uint256) {
        uint256 bps = _payoutBps[outputToken];
        return bps == 0 ? ALL_BPS : bps;
    }

    /// @notice A swap as LI.FI's GenericSwapFacet takes it.
    function swapTokensGeneric(
        bytes32,
        string memory,
        string memory,
        address payable receiver,
        uint256 minAmount,
        SwapData[] memory swaps
    ) external payable {
        _swap(swaps, AllowedSlippage(receiver, swaps[swaps.length - 1].receivingAssetId, minAmount));
    }

    /// @notice A swap as 0x's AllowanceHolder takes it; it plays the Settler that the real one forwards to.
    /// @param data Call of the Settler's `execute`, whose actions are encoded `SwapData`.
    function exec(address, address token, uint256 amount, address payable, bytes calldata data)
        external
        payable
        returns (bytes memory)
    {
        if (bytes4(data[:4]) != EXECUTE) revert UnknownFunction();
        (AllowedSlippage memory slippage, bytes[] memory actions,) =
            abi.decode(data[4:], (AllowedSlippage, bytes[], bytes32));
        SwapData[] memory swaps = new SwapData[](actions.length);
        for (uint256 i = 0; i < actions.length; i++) {
            swaps[i] = abi.decode(actions[i], (SwapData));
        }
        if (msg.value == 0) IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        _swap(swaps, slippage);
        return "";
    }

    function _swap(SwapData[] memory swaps, AllowedSlippage memory wanted) private {
        address token = wanted.buyToken;
        uint256 before = token.balanceOf(address(this)) - (token == Currency.NATIVE ? msg.value : 0);
        for (uint256 i = 0; i < swaps.length; i++) {
            _call(swaps[i]);
        }
        uint256 output = (token.balanceOf(address(this)) - before) * payoutBps(token) / ALL_BPS;
        token.payOut(wanted.recipient, output, wanted.minAmountOut);
        emit Swapped(msg.sender, wanted.recipient, token, output);
    }

    function _call(SwapData memory swap) private {
        bool isNative = swap.sendingAssetId == Currency.NATIVE;
        if (!isNative) {
            IERC20 token = IERC20(swap.sendingAssetId);
            if (swap.requiresDeposit) token.safeTransferFrom(msg.sender, address(this), swap.fromAmount);
            token.forceApprove(swap.approveTo, swap.fromAmount);
        }
        Address.functionCallWithValue(swap.callTo, swap.callData, isNative ? swap.fromAmount : 0);
    }
}
