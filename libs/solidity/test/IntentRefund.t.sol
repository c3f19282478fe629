// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IntentEscrow} from "../contracts/IntentEscrow.sol";
import {Outcome} from "../contracts/interfaces/IFillOracle.sol";
import {IIntentEscrow, OrderStatus} from "../contracts/interfaces/IIntentEscrow.sol";
import {Order, RefundInstruction} from "../contracts/types/Order.sol";
import {SmartAccount} from "./support/Actors.sol";
import {BridgeFixture} from "./support/BridgeFixture.sol";
import {BlacklistToken, HookToken, IHook} from "./support/Tokens.sol";

contract IntentRefundTest is BridgeFixture {
    address private depositor = makeAddr("depositor");

    function test_refundsAsTheOwnersTextSays() public {
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 3);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        vm.expectEmit(address(escrow));
        emit IIntentEscrow.Refunded(idOf(order), destination, 97, relayer, 3);
        vm.prank(relayer);
        escrow.refund(order, instruction, signature);
        assertEq(output.balanceOf(destination), 97);
        assertEq(output.balanceOf(relayer), 3);
        assertEq(escrow.outstanding(address(output)), 0);
        assertEq(uint8(escrow.statusOf(idOf(order))), uint8(OrderStatus.Refunded));
    }

    function test_refundsEverythingWithoutAFee() public {
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 0);
        escrow.refund(order, instruction, refundSignature(order, instruction, ownerKey));
        assertEq(output.balanceOf(destination), 100);
    }

    function test_theTextStatesTheRefund() public {
        vm.chainId(HERE);
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 3);
        string memory text = escrow.refundText(order, instruction);
        string[8] memory parts = [
            "Chain: 31337\n",
            string.concat("Escrow: ", vm.toString(address(escrow)), "\n"),
            string.concat("Order: ", vm.toString(idOf(order)), "\n"),
            string.concat("Token: ", vm.toString(address(output)), "\nAmount: 100\n"),
            string.concat("Recipient: ", vm.toString(destination), "\n"),
            "Fee, taken from the amount: 3\n",
            string.concat("Fee receiver: ", vm.toString(relayer), "\n"),
            string.concat("Valid until: ", vm.toString(instruction.validUntil))
        ];
        for (uint256 i = 0; i < parts.length; i++) {
            assertEq(vm.split(text, parts[i]).length, 2, parts[i]);
        }
    }

    function test_anOwnerThatIsAContractSignsByErc1271() public {
        owner = address(new SmartAccount(owner));
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 0);
        escrow.refund(order, instruction, refundSignature(order, instruction, ownerKey));
        assertEq(output.balanceOf(destination), 100);
    }

    function testFuzz_refusesAnyOtherSigner(uint256 key) public {
        key = boundPrivateKey(key);
        vm.assume(key != ownerKey);
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 0);
        bytes memory signature = refundSignature(order, instruction, key);
        vm.expectRevert(IIntentEscrow.WrongSignature.selector);
        escrow.refund(order, instruction, signature);
    }

    function testFuzz_refusesAnyOtherInstruction(uint8 field, uint256 value) public {
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 3);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        if (field % 4 == 0) instruction.recipient = address(uint160(value));
        if (field % 4 == 1) instruction.feeReceiver = address(uint160(value));
        if (field % 4 == 2) instruction.fee = bound(value, 4, 100);
        if (field % 4 == 3) instruction.validUntil += bound(value, 1, 1 days);
        vm.expectRevert(IIntentEscrow.WrongSignature.selector);
        escrow.refund(order, instruction, signature);
    }

    function test_aTextIsValidForOneOrder() public {
        Order memory order = expired();
        Order memory other = expired();
        RefundInstruction memory instruction = instructing(destination, 0);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        vm.expectRevert(IIntentEscrow.WrongSignature.selector);
        escrow.refund(other, instruction, signature);
    }

    function test_aTextExpires() public {
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 0);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        for (uint256 late = 0; late < 2; late++) {
            vm.warp(instruction.validUntil + late);
            vm.expectRevert(IIntentEscrow.RefundTextDead.selector);
            escrow.refund(order, instruction, signature);
        }
        vm.warp(instruction.validUntil - 1);
        escrow.refund(order, instruction, signature);
        assertEq(output.balanceOf(destination), 100);
    }

    function test_refusesAFeeAboveTheInput() public {
        Order memory order = expired();
        opened(depositor, 100, 99);
        RefundInstruction memory instruction = instructing(destination, 101);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        vm.expectRevert(IIntentEscrow.FeeAboveAmount.selector);
        escrow.refund(order, instruction, signature);
        instruction.fee = 100;
        escrow.refund(order, instruction, refundSignature(order, instruction, ownerKey));
        assertEq(output.balanceOf(relayer), 100);
    }

    function test_refundsOnce() public {
        Order memory order = expired();
        opened(depositor, 100, 99);
        RefundInstruction memory instruction = instructing(destination, 0);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        escrow.refund(order, instruction, signature);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.refund(order, instruction, signature);
        vm.prank(depositor);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.refundByWallet(order, depositor);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.refundToWallet(order);
        attest(order, Outcome.Filled, solver);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.release(order);
    }

    function test_theWalletTakesARefund() public {
        Order memory order = expired();
        vm.expectEmit(address(escrow));
        emit IIntentEscrow.Refunded(idOf(order), destination, 100, address(0), 0);
        vm.prank(depositor);
        escrow.refundByWallet(order, destination);
        assertEq(output.balanceOf(destination), 100);
    }

    function testFuzz_refusesAnyoneButTheWallet(address anyone) public {
        vm.assume(anyone != depositor);
        Order memory order = expired();
        vm.prank(anyone);
        vm.expectRevert(IIntentEscrow.NotWallet.selector);
        escrow.refundByWallet(order, anyone);
    }

    function test_nothingNestsInARefund() public {
        HookToken token = new HookToken();
        escrow = new IntentEscrow(FILL_WINDOW, SETTLE_WINDOW, oracle, escrowedTokens(address(token)));
        output = token;
        Order memory order = opened(depositor, 100, 99);
        Order memory other = opened(depositor, 100, 99);
        vm.warp(other.expires);
        RefundInstruction memory instruction = instructing(destination, 0);
        bytes memory signature = refundSignature(other, instruction, ownerKey);
        Caller caller = new Caller(escrow);
        caller.prepare(abi.encodeCall(escrow.bridge, (requesting(1, 1))));
        caller.prepare(abi.encodeCall(escrow.fill, (other, 99, relayer)));
        caller.prepare(abi.encodeCall(escrow.release, (other)));
        caller.prepare(abi.encodeCall(escrow.refund, (other, instruction, signature)));
        caller.prepare(abi.encodeCall(escrow.refundByWallet, (other, relayer)));
        caller.prepare(abi.encodeCall(escrow.refundToWallet, (other)));
        vm.startPrank(depositor);
        token.setRecipientHook(address(caller));
        escrow.refundByWallet(order, depositor);
        assertEq(caller.refusals(), 6);
        assertEq(token.balanceOf(depositor), 100);
    }

    function test_aRefundToTheWalletDoesNotNest() public {
        HookToken token = new HookToken();
        escrow = new IntentEscrow(FILL_WINDOW, SETTLE_WINDOW, oracle, escrowedTokens(address(token)));
        output = token;
        Order memory order = opened(depositor, 100, 99);
        opened(depositor, 100, 99);
        vm.warp(order.expires);
        Caller caller = new Caller(escrow);
        caller.prepare(abi.encodeCall(escrow.refundToWallet, (order)));
        vm.prank(depositor);
        token.setRecipientHook(address(caller));
        escrow.refundToWallet(order);
        assertEq(caller.refusals(), 1);
        assertEq(token.balanceOf(depositor), 100);
    }

    // To the wallet, by anyone

    function testFuzz_anyoneRefundsToTheWallet(address anyone, uint256 amount) public {
        amount = bound(amount, 1, ORDER_CAP);
        Order memory order = opened(depositor, amount, 99);
        vm.warp(order.expires);
        uint256 held = output.balanceOf(anyone);
        vm.expectEmit(address(escrow));
        emit IIntentEscrow.Refunded(idOf(order), depositor, amount, address(0), 0);
        vm.prank(anyone);
        escrow.refundToWallet(order);
        assertEq(output.balanceOf(depositor), amount);
        if (anyone != depositor && anyone != address(escrow)) assertEq(output.balanceOf(anyone), held);
        assertEq(escrow.outstanding(address(output)), 0);
        assertEq(uint8(escrow.statusOf(idOf(order))), uint8(OrderStatus.Refunded));
    }

    /// Only the order that was opened is refunded: its id covers every field.
    function testFuzz_refusesAnAlteredOrderToTheWallet(uint8 field, uint256 value) public {
        Order memory order = expired();
        Order memory altered = abi.decode(abi.encode(order), (Order));
        address account = address(uint160(value));
        if (field % 6 == 0) altered.wallet = account;
        if (field % 6 == 1) altered.inputToken = account;
        if (field % 6 == 2) altered.inputAmount = value;
        if (field % 6 == 3) altered.expires = value;
        if (field % 6 == 4) altered.fillDeadline = value;
        if (field % 6 == 5) altered.oracle = account;
        vm.assume(idOf(altered) != idOf(order));
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.refundToWallet(altered);
    }

    function test_aRefundToTheWalletEndsTheOwnersText() public {
        Order memory order = expired();
        RefundInstruction memory instruction = instructing(destination, 3);
        bytes memory signature = refundSignature(order, instruction, ownerKey);
        escrow.refundToWallet(order);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.refund(order, instruction, signature);
        assertEq(output.balanceOf(depositor), 100);
    }

    function test_theOwnersTextGoesElsewhereWhenTheWalletIsBlocked() public {
        BlacklistToken token = new BlacklistToken();
        escrow = new IntentEscrow(FILL_WINDOW, SETTLE_WINDOW, oracle, escrowedTokens(address(token)));
        output = token;
        Order memory order = expired();
        token.blockAccount(depositor);
        vm.expectRevert("blocked");
        escrow.refundToWallet(order);
        assertEq(uint8(escrow.statusOf(idOf(order))), uint8(OrderStatus.Open));
        RefundInstruction memory instruction = instructing(destination, 0);
        escrow.refund(order, instruction, refundSignature(order, instruction, ownerKey));
        assertEq(token.balanceOf(destination), 100);
    }

    function testFuzz_refundsToTheWalletWithoutAnOutcomeOnlyOnceExpired(uint256 time) public {
        Order memory order = opened(depositor, 100, 99);
        time = bound(time, NOW, order.expires + 1 days);
        vm.warp(time);
        if (time < order.expires) vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundToWallet(order);
        assertEq(output.balanceOf(depositor), time < order.expires ? 0 : 100);
    }

    function test_refundsAnUnfilledOrderToTheWalletRightAfterTheFillDeadline() public {
        Order memory order = opened(depositor, 100, 99);
        attest(order, Outcome.Unfilled, address(0));
        vm.warp(order.fillDeadline);
        vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundToWallet(order);
        vm.warp(order.fillDeadline + 1);
        escrow.refundToWallet(order);
        assertEq(output.balanceOf(depositor), 100);
    }

    function test_neverRefundsAFilledOrderToTheWallet() public {
        Order memory order = expired();
        attest(order, Outcome.Filled, solver);
        vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundToWallet(order);
        escrow.release(order);
        assertEq(output.balanceOf(solver), 100);
    }

    function test_refundsToTheWalletOnItsOwnChainOnly() public {
        Order memory order = expired();
        // The escrow has the same address and another state on each chain.
        IntentEscrow there = new IntentEscrow(FILL_WINDOW, SETTLE_WINDOW, oracle, escrowedTokens(address(output)));
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        there.refundToWallet(order);
    }

    // When

    function testFuzz_refundsWithoutAnOutcomeOnlyOnceExpired(uint256 time) public {
        Order memory order = opened(depositor, 100, 99);
        time = bound(time, NOW, order.expires + 1 days);
        vm.warp(time);
        vm.startPrank(depositor);
        if (time < order.expires) vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundByWallet(order, depositor);
        assertEq(output.balanceOf(depositor), time < order.expires ? 0 : 100);
    }

    function test_isRefundableFromTheExactSecondOfExpiry() public {
        Order memory order = opened(depositor, 100, 99);
        vm.startPrank(depositor);
        vm.warp(order.expires - 1);
        vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundByWallet(order, depositor);
        vm.warp(order.expires);
        escrow.refundByWallet(order, depositor);
    }

    function test_refundsAnUnfilledOrderRightAfterTheFillDeadline() public {
        Order memory order = opened(depositor, 100, 99);
        attest(order, Outcome.Unfilled, address(0));
        vm.startPrank(depositor);
        vm.warp(order.fillDeadline);
        vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundByWallet(order, depositor);
        vm.warp(order.fillDeadline + 1);
        escrow.refundByWallet(order, depositor);
        assertEq(output.balanceOf(depositor), 100);
    }

    function test_neverRefundsAFilledOrder() public {
        Order memory order = expired();
        attest(order, Outcome.Filled, solver);
        vm.prank(depositor);
        vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundByWallet(order, depositor);
    }

    function test_aFillInTheLastSecondAndARefundRightAfterItDoNotBothSucceed() public {
        Order memory order = opened(depositor, 100, 99);
        vm.warp(order.fillDeadline);
        fill(order, 99);
        vm.warp(order.fillDeadline + 1);
        vm.prank(depositor);
        vm.expectRevert(IIntentEscrow.NotRefundable.selector);
        escrow.refundByWallet(order, depositor);
        attest(order, Outcome.Filled, solver);
        escrow.release(order);
        assertEq(output.balanceOf(solver), 100);
    }

    function expired() private returns (Order memory order) {
        order = opened(depositor, 100, 99);
        vm.warp(order.expires);
    }
}

/// @notice Calls an escrow during a transfer, and counts the refusals.
contract Caller is IHook {
    IntentEscrow private immutable _escrow;
    bytes[] private _calls;
    uint256 public refusals;

    constructor(IntentEscrow escrow) {
        _escrow = escrow;
    }

    function prepare(bytes calldata call) external {
        _calls.push(call);
    }

    function onTransfer(address, address, uint256) external {
        for (uint256 i = 0; i < _calls.length; i++) {
            (bool success, bytes memory reason) = address(_escrow).call(_calls[i]);
            if (!success && bytes4(reason) == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector) refusals++;
        }
    }
}
