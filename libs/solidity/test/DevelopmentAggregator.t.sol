// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Test} from "forge-std/Test.sol";
import {DevelopmentAggregator} from "../contracts/development/DevelopmentAggregator.sol";
import {DevelopmentToken} from "../contracts/development/DevelopmentToken.sol";
import {Currency} from "../contracts/libraries/Currency.sol";

/// @notice Exchange of the test: gives ten units of its token, or of native currency, for any input.
contract Exchange {
    uint256 internal constant OUTPUT = 10;

    receive() external payable {}

    function buy(DevelopmentToken input, uint256 amount, DevelopmentToken output) external {
        input.transferFrom(msg.sender, address(this), amount);
        output.transfer(msg.sender, OUTPUT);
    }

    function buyNative(DevelopmentToken input, uint256 amount) external {
        input.transferFrom(msg.sender, address(this), amount);
        payable(msg.sender).transfer(OUTPUT);
    }

    function sellNative(DevelopmentToken output) external payable {
        output.transfer(msg.sender, OUTPUT);
    }
}

contract DevelopmentAggregatorTest is Test {
    address internal admin = makeAddr("admin");
    address payable internal receiver = payable(makeAddr("receiver"));
    Exchange internal exchange = new Exchange();
    DevelopmentAggregator internal aggregator;
    DevelopmentToken internal input;
    DevelopmentToken internal output;

    function setUp() public {
        aggregator = new DevelopmentAggregator("aggregator", admin);
        address[] memory holders = new address[](3);
        (holders[0], holders[1], holders[2]) = (address(this), address(exchange), address(aggregator));
        input = new DevelopmentToken("Input", "IN", 6, admin, holders, 1000);
        output = new DevelopmentToken("Output", "OUT", 6, admin, holders, 1000);
        vm.deal(address(exchange), 1000);
        input.approve(address(aggregator), 7);
    }

    function test_swapsAsLifiSays() public {
        assertEq(aggregator.name(), "aggregator");
        vm.expectEmit(address(aggregator));
        emit DevelopmentAggregator.Swapped(address(this), receiver, address(output), 10);
        swap(tokenSwap(true), 10);
        assertEq(output.balanceOf(receiver), 10);
        assertEq(input.balanceOf(address(this)), 993);
    }

    function test_swapsAsZeroXSays() public {
        exec(tokenSwap(false), address(output), 0);
        assertEq(output.balanceOf(receiver), 10);
        assertEq(input.balanceOf(address(this)), 993);
    }

    function test_swapsNativeCurrency() public {
        bytes memory selling = abi.encodeCall(Exchange.sellNative, (output));
        swap(call(Currency.NATIVE, address(output), selling, false), 10, 7);
        exec(call(Currency.NATIVE, address(output), selling, false), address(output), 7);
        assertEq(output.balanceOf(receiver), 20);
        bytes memory buying = abi.encodeCall(Exchange.buyNative, (input, 7));
        swap(call(address(input), Currency.NATIVE, buying, true), 10);
        assertEq(receiver.balance, 10);
    }

    function test_paysTheShareThatItsOwnerSays() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        aggregator.setPayout(address(output), 20_000);
        vm.prank(admin);
        aggregator.setPayout(address(output), 20_000);
        assertEq(aggregator.payoutBps(address(input)), 10_000);
        swap(tokenSwap(true), 20);
        assertEq(output.balanceOf(receiver), 20);
    }

    function test_refusesLessThanTheMinimum() public {
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 10, 11));
        swap(tokenSwap(true), 11);
    }

    function test_refusesAnotherFunctionOfTheSettler() public {
        vm.expectRevert(DevelopmentAggregator.UnknownFunction.selector);
        aggregator.exec(address(0), address(input), 7, payable(address(0)), hex"12345678");
    }

    function tokenSwap(bool requiresDeposit) internal view returns (DevelopmentAggregator.SwapData memory) {
        bytes memory buying = abi.encodeCall(Exchange.buy, (input, 7, output));
        return call(address(input), address(output), buying, requiresDeposit);
    }

    function call(address sold, address bought, bytes memory data, bool requiresDeposit)
        internal
        view
        returns (DevelopmentAggregator.SwapData memory)
    {
        return DevelopmentAggregator.SwapData(
            address(exchange), address(exchange), sold, bought, 7, data, requiresDeposit
        );
    }

    function swap(DevelopmentAggregator.SwapData memory data, uint256 minimum) internal {
        swap(data, minimum, 0);
    }

    function swap(DevelopmentAggregator.SwapData memory data, uint256 minimum, uint256 value) internal {
        DevelopmentAggregator.SwapData[] memory swaps = new DevelopmentAggregator.SwapData[](1);
        swaps[0] = data;
        aggregator.swapTokensGeneric{value: value}(0, "", "", receiver, minimum, swaps);
    }

    function exec(DevelopmentAggregator.SwapData memory data, address bought, uint256 value) internal {
        bytes[] memory actions = new bytes[](1);
        actions[0] = abi.encode(data);
        DevelopmentAggregator.AllowedSlippage memory slippage =
            DevelopmentAggregator.AllowedSlippage(receiver, bought, 10);
        bytes memory execute = abi.encodePacked(bytes4(0x1fff991f), abi.encode(slippage, actions, bytes32(0)));
        aggregator.exec{value: value}(address(0), address(input), 7, payable(address(0)), execute);
    }
}
