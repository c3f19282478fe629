// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {IBridgeAdapter} from "../contracts/interfaces/IBridgeAdapter.sol";
import {Outcome} from "../contracts/interfaces/IFillOracle.sol";
import {IConverter} from "../contracts/interfaces/IConverter.sol";
import {IIntentEscrow} from "../contracts/interfaces/IIntentEscrow.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {BridgeRequest} from "../contracts/types/BridgeRequest.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {Order} from "../contracts/types/Order.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {BridgeFixture} from "./support/BridgeFixture.sol";

contract BridgedLegsTest is BridgeFixture {
    function test_handsTheAdapterTheAmountToBridge() public {
        Declaration memory declaration = withFee(bridgingOf(address(output), 105, 100, 99), feeReceiver, 5);
        address wallet = funded(declaration, 105);

        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 100, fee(5), 100);
        Order memory order = executed(declaration, 100, fee(5), noCalls());

        assertEq(abi.encode(order), abi.encode(orderOf(wallet, 100, 99, 1)));
        assertEq(order.owner, owner);
        assertEq(output.balanceOf(address(escrow)), 100);
        assertEq(output.balanceOf(feeReceiver), 5);
        assertEq(output.allowance(wallet, address(escrow)), 0);
    }

    function test_convertsBeforeItBridges() public {
        Declaration memory declaration = bridgingOf(address(input), 100, 290, 280);
        address wallet = funded(declaration, 100);
        Order memory order = executed(declaration, 100, noFees(), swapping(address(input), 60, address(output), 300));
        assertEq(order.inputAmount, 300);
        assertEq(order.minimum, 280);
        assertEq(input.balanceOf(wallet), 40);
        assertEq(output.balanceOf(wallet), 0);
    }

    function test_convertsNativeCurrencyBeforeItBridges() public {
        Declaration memory declaration = bridgingOf(NATIVE, 100, 290, 280);
        funded(declaration, 100);
        Order memory order = executed(declaration, 100, noFees(), swapping(NATIVE, 100, address(output), 300));
        assertEq(order.inputAmount, 300);
    }

    function test_bridgesWithoutTheConverterWhenNothingIsConverted() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        funded(declaration, 100);
        vm.expectCall(address(converter), abi.encodePacked(IConverter.convert.selector), 0);
        executed(declaration, 100, noFees(), noCalls());
    }

    function test_convertsATokenIntoItselfWhenAsked() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        funded(declaration, 100);
        Order memory order = executed(declaration, 100, noFees(), swapping(address(output), 90, address(output), 95));
        assertEq(order.inputAmount, 105);
    }

    /// Without a route nothing is converted into the token to bridge, even if the wallet holds some.
    function test_bridgesNothingThatWasNotConverted() public {
        Declaration memory declaration = bridgingOf(address(input), 100, 100, 99);
        address wallet = funded(declaration, 100);
        output.mint(wallet, 100);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 100));
        execute(declaration, 100, noFees(), noCalls());
    }

    /// An earlier balance stays: it belongs to the owner.
    function test_bridgesNoMoreThanWasConverted() public {
        Declaration memory declaration = bridgingOf(address(input), 100, 290, 280);
        address wallet = funded(declaration, 100);
        output.mint(wallet, 50);
        Order memory order = executed(declaration, 100, noFees(), swapping(address(input), 100, address(output), 300));
        assertEq(order.inputAmount, 300);
        assertEq(output.balanceOf(wallet), 50);
    }

    function test_theLastLegPaysTheArrivedAmount() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        address wallet = funded(declaration, 100);
        Order memory order = executed(declaration, 100, noFees(), noCalls());
        fill(order, 99);
        arriveThere(wallet);
        executeLeg(declaration, 1, 99, noFees(), noCalls());
        assertEq(remote.balanceOf(destination), 99);
    }

    function test_refusesLessThanTheMinimum() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 99, 100));
        execute(declaration, 99, noFees(), noCalls());

        Declaration memory converting = bridgingOf(address(input), 100, 290, 280);
        funded(converting, 100);
        Call[] memory calls = swapping(address(input), 100, address(output), 289);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 289, 290));
        execute(converting, 100, noFees(), calls);
    }

    function test_refusesALegThatTheAdapterRefuses() public {
        Declaration memory declaration = bridgingOf(address(output), ORDER_CAP + 1, 1, 1);
        funded(declaration, ORDER_CAP + 1);
        vm.expectRevert(abi.encodeWithSelector(IIntentEscrow.AboveCap.selector, output, ORDER_CAP + 1));
        execute(declaration, ORDER_CAP + 1, noFees(), noCalls());
    }

    function test_refusesNativeCurrencyOnEitherSide() public {
        Declaration memory leaving = bridgingOf(NATIVE, 100, 100, 99);
        leaving.legs[0].outputToken = NATIVE;
        funded(leaving, 100);
        vm.expectRevert(IOneTimeWallet.NotBridgeable.selector);
        execute(leaving, 100, noFees(), noCalls());

        Declaration memory arriving = bridgingOf(address(output), 100, 100, 99);
        arriving.legs[1].inputToken = NATIVE;
        funded(arriving, 100);
        vm.expectRevert(IOneTimeWallet.NotBridgeable.selector);
        execute(arriving, 100, noFees(), noCalls());
    }

    function test_refusesCustomCallsBeforeTheLastLeg() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        declaration.legs[0].customCalls = one(relayer, "", 0);
        funded(declaration, 100);
        vm.expectRevert(IOneTimeWallet.NotBridgeable.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_refusesAnAdapterThatTakesLess() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        declaration.legs[0].bridgeAdapter = address(new LazyAdapter());
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(IOneTimeWallet.AllowanceLeft.selector, 1));
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_anAdapterWithoutCodeFailsTheLeg() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        declaration.legs[0].bridgeAdapter = makeAddr("nothing");
        funded(declaration, 100);
        vm.expectRevert();
        execute(declaration, 100, noFees(), noCalls());
    }

    // Recovery

    function test_theOwnerTakesARefundByTheWallet() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 100));
        Order memory order = executed(declaration, 100, noFees(), noCalls());
        vm.warp(order.expires);
        ServiceAuthorization memory authorization =
            authorizing(declaration, one(address(escrow), abi.encodeCall(escrow.refundByWallet, (order, owner)), 0));
        authorization.nonce = nonceOf(block.timestamp + 1, 1);
        wallet.withdraw(declaration, authorization, signed(authorization, ownerKey));
        assertEq(output.balanceOf(owner), 100);
    }

    function test_aRefundDoesNotReopenTheLeg() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        address wallet = funded(declaration, 100);
        Order memory order = executed(declaration, 100, noFees(), noCalls());
        attest(order, Outcome.Unfilled, address(0));
        vm.warp(order.fillDeadline + 1);
        vm.prank(wallet);
        escrow.refundByWallet(order, wallet);
        assertEq(output.balanceOf(wallet), 100);
        vm.expectRevert(IOneTimeWallet.LegAlreadyExecuted.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    /// Anyone's refund gives the funds to the wallet, where neither the executor nor the caller reaches them.
    function test_afterAnyonesRefundOnlyTheOwnerMovesTheMoney() public {
        Declaration memory declaration = bridgingOf(address(output), 100, 100, 99);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 100));
        Order memory order = executed(declaration, 100, noFees(), noCalls());
        attest(order, Outcome.Unfilled, address(0));
        vm.warp(order.fillDeadline + 1);
        vm.prank(relayer);
        escrow.refundToWallet(order);
        assertEq(output.balanceOf(address(wallet)), 100);
        vm.expectRevert(IOneTimeWallet.LegAlreadyExecuted.selector);
        execute(declaration, 100, noFees(), noCalls());
        ServiceAuthorization memory authorization = authorizing(declaration, sending(address(output), owner, 100));
        authorization.nonce = nonceOf(block.timestamp + 1, 1);
        wallet.withdraw(declaration, authorization, signed(authorization, ownerKey));
        assertEq(output.balanceOf(owner), 100);
    }

    function executed(Declaration memory declaration, uint256 amount, uint256[] memory fees, Call[] memory calls)
        private
        returns (Order memory)
    {
        vm.recordLogs();
        execute(declaration, amount, fees, calls);
        return announced(vm.getRecordedLogs());
    }

    /// Same address on the other chain, where no leg was executed yet.
    function arriveThere(address wallet) private {
        vm.chainId(THERE);
        vm.store(wallet, bytes32(0), bytes32(0));
    }
}

/// @notice Leaves a unit behind.
contract LazyAdapter is IBridgeAdapter {
    function bridge(BridgeRequest calldata request) external {
        (bool success,) = request.token
            .call(
                abi.encodeWithSignature(
                    "transferFrom(address,address,uint256)", msg.sender, address(this), request.amount - 1
                )
            );
        require(success, "not taken");
    }
}
