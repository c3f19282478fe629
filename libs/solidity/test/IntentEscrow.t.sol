// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {AttesterOracle} from "../contracts/AttesterOracle.sol";
import {IntentEscrow} from "../contracts/IntentEscrow.sol";
import {Outcome} from "../contracts/interfaces/IFillOracle.sol";
import {IIntentEscrow, OrderStatus} from "../contracts/interfaces/IIntentEscrow.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {BridgeRequest} from "../contracts/types/BridgeRequest.sol";
import {Order} from "../contracts/types/Order.sol";
import {BridgeFixture} from "./support/BridgeFixture.sol";
import {DrainingSourceToken, FeeOnTransferToken, GenerousToken, HookToken, IHook, TestToken} from "./support/Tokens.sol";

/// @notice Opening, filling and releasing orders; refunds are in IntentRefund.t.sol.
contract IntentEscrowTest is BridgeFixture {
    address private depositor = makeAddr("depositor");

    // Opening

    function test_holdsTheFundsOfAnOrder() public {
        output.mint(depositor, 100);
        vm.startPrank(depositor);
        output.approve(address(escrow), 100);
        Order memory order = orderOf(depositor, 100, 99, 1);
        vm.expectEmit(address(escrow));
        emit IIntentEscrow.Open(idOf(order), depositor, order);
        escrow.bridge(requesting(100, 99));

        assertEq(escrow.orderId(order), idOf(order));
        assertEq(uint8(escrow.statusOf(idOf(order))), uint8(OrderStatus.Open));
        assertEq(output.balanceOf(address(escrow)), 100);
        assertEq(escrow.outstanding(address(output)), 100);
    }

    function test_keepsTheCapsOfItsOwnChain() public {
        assertEq(escrow.orderCap(address(output)), ORDER_CAP);
        assertEq(escrow.outstandingCap(address(output)), OUTSTANDING_CAP);
        assertEq(escrow.orderCap(address(0xbeef)), 0);
        assertEq(escrow.outstandingCap(address(0xbeef)), 0);
        vm.chainId(THERE);
        IntentEscrow other = new IntentEscrow(1, 2, oracle, escrowedTokens(address(output)));
        assertEq(other.orderCap(address(0xbeef)), ORDER_CAP);
        assertEq(other.outstandingCap(address(0xbeef)), OUTSTANDING_CAP);
        assertEq(other.orderCap(address(output)), 0);
        assertEq(other.fillWindow(), 1);
        assertEq(other.settleWindow(), 2);
        assertEq(address(other.oracle()), address(oracle));
    }

    function test_ordersOfOneDepositorDiffer() public {
        Order memory first = opened(depositor, 100, 99);
        Order memory second = opened(depositor, 100, 99);
        assertNotEq(idOf(first), idOf(second));
        assertEq(escrow.orderCount(), 2);
    }

    function testFuzz_refusesMoreThanTheCapOfAnOrder(uint256 amount) public {
        amount = bound(amount, ORDER_CAP + 1, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(IIntentEscrow.AboveCap.selector, output, amount));
        escrow.bridge(requesting(amount, 1));
    }

    function test_refusesMoreThanTheCapOfAllOrders() public {
        opened(depositor, ORDER_CAP, 1);
        opened(depositor, ORDER_CAP, 1);
        uint256 rest = OUTSTANDING_CAP - 2 * ORDER_CAP;
        vm.expectRevert(abi.encodeWithSelector(IIntentEscrow.AboveCap.selector, output, rest + 1));
        escrow.bridge(requesting(rest + 1, 1));
        opened(depositor, rest, 1);
        assertEq(escrow.outstanding(address(output)), OUTSTANDING_CAP);
    }

    function test_closedOrdersMakeRoom() public {
        opened(depositor, ORDER_CAP, 1);
        Order memory order = opened(depositor, ORDER_CAP, 1);
        attest(order, Outcome.Filled, solver);
        escrow.release(order);
        opened(depositor, ORDER_CAP, 1);
        assertEq(escrow.outstanding(address(output)), 2 * ORDER_CAP);
    }

    function test_enoughHostileAttestersTakeOpenOrdersAndNothingElse() public {
        address thief = makeAddr("thief");
        output.mint(depositor, 7);
        Order memory order = opened(depositor, 100, 99);
        Order memory refunded = opened(depositor, 50, 49);
        attest(refunded, Outcome.Unfilled, address(0));
        vm.warp(refunded.fillDeadline + 1);
        vm.prank(depositor);
        escrow.refundByWallet(refunded, depositor);

        attest(order, Outcome.Filled, thief);
        escrow.release(order);
        assertEq(output.balanceOf(thief), 100);
        assertEq(output.balanceOf(depositor), 57);
        bytes[] memory lies = signatures(idOf(refunded), Outcome.Filled, thief, 2);
        vm.expectRevert(AttesterOracle.AlreadyAttested.selector);
        oracle.attest(idOf(refunded), Outcome.Filled, thief, lies);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.release(refunded);
    }

    function test_refusesZeroAmountsAndUnlistedTokens() public {
        vm.expectRevert(abi.encodeWithSelector(IIntentEscrow.AboveCap.selector, output, 0));
        escrow.bridge(requesting(0, 1));
        BridgeRequest memory request = requesting(1, 1);
        request.token = address(input);
        vm.expectRevert(abi.encodeWithSelector(IIntentEscrow.AboveCap.selector, input, 1));
        escrow.bridge(request);
    }

    function test_refusesOrdersWithinOneChain() public {
        BridgeRequest memory request = requesting(100, 99);
        request.destinationChainId = HERE;
        vm.expectRevert(IIntentEscrow.SameChain.selector);
        escrow.bridge(request);
    }

    function test_refusesOrdersWithoutAMinimum() public {
        vm.expectRevert(IIntentEscrow.NothingToDeliver.selector);
        escrow.bridge(requesting(100, 0));
        BridgeRequest memory request = requesting(100, 99);
        request.destinationToken = NATIVE;
        vm.expectRevert(IIntentEscrow.NothingToDeliver.selector);
        escrow.bridge(request);
    }

    function test_takesOrdersForChainsBeforeAndAfterThisOne() public {
        uint256[2] memory others = [uint256(1), type(uint256).max];
        output.mint(depositor, 200);
        vm.startPrank(depositor);
        output.approve(address(escrow), 200);
        for (uint256 i = 0; i < others.length; i++) {
            BridgeRequest memory request = requesting(100, 99);
            request.destinationChainId = others[i];
            escrow.bridge(request);
        }
        assertEq(escrow.outstanding(address(output)), 200);
    }

    function test_refusesATokenThatDeliversLessOrMore() public {
        refusesToHold(new FeeOnTransferToken(), 990);
        refusesToHold(new GenerousToken(), 1001);
    }

    function refusesToHold(TestToken token, uint256 delivered) private {
        escrow = new IntentEscrow(FILL_WINDOW, SETTLE_WINDOW, oracle, escrowedTokens(address(token)));
        token.mint(depositor, 1000);
        BridgeRequest memory request = requesting(1000, 1);
        request.token = address(token);
        vm.startPrank(depositor);
        token.approve(address(escrow), 1000);
        vm.expectRevert(abi.encodeWithSelector(IIntentEscrow.WrongAmountReceived.selector, delivered));
        escrow.bridge(request);
        vm.stopPrank();
    }

    // Filling

    function test_paysTheRecipientOfAnOrder() public {
        Order memory order = opened(depositor, 100, 99);
        vm.chainId(THERE);
        vm.expectEmit(address(escrow));
        emit IIntentEscrow.Filled(idOf(order), relayer, 99);
        vm.prank(solver);
        escrow.fill(order, 99, relayer);
        assertEq(remote.balanceOf(depositor), 99);
        assertEq(escrow.fillerOf(idOf(order)), relayer);
    }

    function testFuzz_refusesToFillWithLessThanTheMinimum(uint256 minimum, uint256 amount) public {
        minimum = bound(minimum, 1, type(uint128).max);
        amount = bound(amount, 0, minimum - 1);
        Order memory order = opened(depositor, 100, minimum);
        vm.chainId(THERE);
        vm.prank(solver);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, amount, minimum));
        escrow.fill(order, amount, solver);
        assertEq(escrow.fillerOf(idOf(order)), address(0));
    }

    function test_countsTheDeliveredAmount() public {
        FeeOnTransferToken token = new FeeOnTransferToken();
        token.mint(solver, 2000);
        Order memory order = orderOf(depositor, 1000, 990, 1);
        order.outputToken = address(token);
        vm.chainId(THERE);
        vm.startPrank(solver);
        token.approve(address(escrow), 2000);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 980, 990));
        escrow.fill(order, 989, solver);
        escrow.fill(order, 1000, solver);
        assertEq(token.balanceOf(depositor), 990);
    }

    function test_countsNoMoreThanWasSent() public {
        GenerousToken token = new GenerousToken();
        token.mint(solver, 98);
        Order memory order = orderOf(depositor, 100, 99, 1);
        order.outputToken = address(token);
        vm.chainId(THERE);
        vm.startPrank(solver);
        token.approve(address(escrow), 98);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 98, 99));
        escrow.fill(order, 98, solver);
    }

    function test_countsNothingWhereTheBalanceOfTheRecipientFalls() public {
        DrainingSourceToken token = new DrainingSourceToken();
        token.mint(solver, 100);
        token.mint(depositor, 1);
        Order memory order = orderOf(depositor, 100, 1, 1);
        order.outputToken = address(token);
        vm.chainId(THERE);
        vm.startPrank(solver);
        token.approve(address(escrow), 100);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 1));
        escrow.fill(order, 100, solver);
    }

    function test_fillsOnce() public {
        Order memory order = opened(depositor, 100, 99);
        fill(order, 99);
        vm.chainId(THERE);
        vm.prank(solver);
        vm.expectRevert(IIntentEscrow.AlreadyFilled.selector);
        escrow.fill(order, 99, solver);
    }

    function test_fillsUntilTheLastSecond() public {
        Order memory order = opened(depositor, 100, 99);
        vm.warp(order.fillDeadline + 1);
        vm.chainId(THERE);
        vm.prank(solver);
        vm.expectRevert(IIntentEscrow.FillWindowClosed.selector);
        escrow.fill(order, 99, solver);
        vm.warp(order.fillDeadline);
        fill(order, 99);
        assertEq(remote.balanceOf(depositor), 99);
    }

    function test_fillsOnTheDestinationChainOnly() public {
        Order memory order = opened(depositor, 100, 99);
        uint256[2] memory others = [HERE, THERE + 1];
        for (uint256 i = 0; i < others.length; i++) {
            vm.chainId(others[i]);
            vm.prank(solver);
            vm.expectRevert(IIntentEscrow.WrongChain.selector);
            escrow.fill(order, 99, solver);
        }
    }

    function test_refusesAFillForTheZeroAddress() public {
        Order memory order = opened(depositor, 100, 99);
        vm.chainId(THERE);
        vm.prank(solver);
        vm.expectRevert(IIntentEscrow.NoFiller.selector);
        escrow.fill(order, 99, address(0));
    }

    function test_anOrderWithAnotherFieldIsAnotherOrder() public {
        Order memory order = opened(depositor, 100, 99);
        bytes32 id = idOf(order);
        order.minimum = 1;
        fill(order, 1);
        assertEq(escrow.fillerOf(id), address(0));
        attest(order, Outcome.Filled, solver);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.release(order);
    }

    function test_aFillDoesNotNest() public {
        HookToken token = new HookToken();
        Order memory order = orderOf(depositor, 100, 99, 1);
        order.outputToken = address(token);
        Refiller refiller = new Refiller(escrow, order);
        token.mint(address(refiller), 100);
        vm.chainId(THERE);
        refiller.start(token);
        assertEq(
            refiller.answer(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    // Releasing

    function test_paysTheFiller() public {
        Order memory order = opened(depositor, 100, 99);
        fill(order, 99);
        attest(order, Outcome.Filled, solver);
        vm.expectEmit(address(escrow));
        emit IIntentEscrow.Released(idOf(order), solver, 100);
        vm.prank(relayer);
        escrow.release(order);
        assertEq(output.balanceOf(solver), 100);
        assertEq(escrow.outstanding(address(output)), 0);
        assertEq(uint8(escrow.statusOf(idOf(order))), uint8(OrderStatus.Released));
    }

    function test_aSolverThatWasAwayClaimsLater() public {
        Order memory order = opened(depositor, 100, 99);
        fill(order, 99);
        vm.warp(order.expires + 1 days);
        attest(order, Outcome.Filled, solver);
        escrow.release(order);
        assertEq(output.balanceOf(solver), 100);
    }

    function test_releasesNothingWithoutAnOutcome() public {
        Order memory order = opened(depositor, 100, 99);
        fill(order, 99);
        vm.expectRevert(IIntentEscrow.NotFilled.selector);
        escrow.release(order);
        attest(order, Outcome.Unfilled, address(0));
        vm.expectRevert(IIntentEscrow.NotFilled.selector);
        escrow.release(order);
    }

    function test_releasesOnce() public {
        Order memory order = opened(depositor, 100, 99);
        opened(depositor, 100, 99);
        attest(order, Outcome.Filled, solver);
        escrow.release(order);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.release(order);
    }

    function test_releasesNothingThatWasNotOpened() public {
        opened(depositor, 100, 99);
        Order memory order = orderOf(relayer, 100, 99, 5);
        attest(order, Outcome.Filled, solver);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.release(order);
    }

    function test_releasesNothingOnAnotherChain() public {
        Order memory order = opened(depositor, 100, 99);
        order.originChainId = THERE;
        vm.chainId(THERE);
        attest(order, Outcome.Filled, solver);
        vm.expectRevert(IIntentEscrow.NotOpen.selector);
        escrow.release(order);
    }
}

/// @notice Solver that fills again when its own tokens leave.
contract Refiller is IHook {
    IntentEscrow private immutable _escrow;
    bytes private _order;
    bytes public answer;

    constructor(IntentEscrow escrow, Order memory order) {
        _escrow = escrow;
        _order = abi.encode(order);
    }

    function start(HookToken token) external {
        token.setSenderHook(address(this));
        token.approve(address(_escrow), type(uint256).max);
        _escrow.fill(abi.decode(_order, (Order)), 100, address(this));
    }

    function onTransfer(address, address, uint256) external {
        Order memory order = abi.decode(_order, (Order));
        order.nonce++;
        try _escrow.fill(order, 1, address(this)) {}
        catch (bytes memory reason) {
            answer = reason;
        }
    }
}
