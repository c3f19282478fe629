// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevelopmentTether} from "../contracts/development/DevelopmentTether.sol";
import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {OneTimeWalletFactory} from "../contracts/OneTimeWalletFactory.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {Declaration, Fee, Leg} from "../contracts/types/Declaration.sol";
import {Forwarder, GasBurner, Rejecting, ReturnBomb} from "./support/Actors.sol";
import {Fixture} from "./support/Fixture.sol";
import {DrainingToken, FalseToken, FeeOnTransferToken, NonZeroToken} from "./support/Tokens.sol";

contract OneTimeWalletExecuteTest is Fixture {
    function test_paysFeeAndDestination() public {
        Declaration memory declaration = withFee(transferOf(address(input), 100, 95), feeReceiver, 5);
        address wallet = funded(declaration, 100);

        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 95, fee(5), 95);
        execute(declaration, 95, fee(5), noCalls());

        assertEq(input.balanceOf(destination), 95);
        assertEq(input.balanceOf(feeReceiver), 5);
        assertEq(input.balanceOf(wallet), 0);
        assertTrue(OneTimeWallet(payable(wallet)).legExecuted());
    }

    function testFuzz_conservesValue(uint128 maxInput, uint128 amount, uint128 taken, uint128 cap, uint128 balance)
        public
    {
        amount = uint128(bound(amount, 0, maxInput));
        cap = uint128(bound(cap, 0, maxInput - amount));
        taken = uint128(bound(taken, 0, cap));
        uint256 held = bound(balance, uint256(amount) + taken, type(uint128).max);
        Declaration memory declaration = withFee(transferOf(address(input), maxInput, amount), feeReceiver, cap);
        address wallet = funded(declaration, held);

        execute(declaration, amount, fee(taken), noCalls());

        assertEq(input.balanceOf(destination), amount);
        assertEq(input.balanceOf(feeReceiver), taken);
        assertEq(input.balanceOf(wallet), held - amount - taken);
    }

    function test_paysNativeCurrency() public {
        Declaration memory declaration = withFee(transferOf(NATIVE, 1 ether, 0.9 ether), feeReceiver, 0.1 ether);
        funded(declaration, 1 ether);
        execute(declaration, 0.9 ether, fee(0.1 ether), noCalls());
        assertEq(destination.balance, 0.9 ether);
        assertEq(feeReceiver.balance, 0.1 ether);
    }

    function test_paysATokenThatReturnsNothing() public {
        address[] memory holders = new address[](1);
        DevelopmentTether tether = new DevelopmentTether(admin, new address[](0), 0);
        Declaration memory declaration = withFee(transferOf(address(tether), 100, 95), feeReceiver, 5);
        holders[0] = addressOf(declaration);
        vm.prank(admin);
        tether.mint(holders[0], 100);
        execute(declaration, 95, fee(5), noCalls());
        assertEq(tether.balanceOf(destination), 95);
        assertEq(tether.balanceOf(feeReceiver), 5);
    }

    function test_aDestinationMayForwardNativeCurrencyAtOnce() public {
        Declaration memory declaration = transferOf(NATIVE, 1 ether, 1 ether);
        declaration.destination = address(new Forwarder(payable(destination)));
        funded(declaration, 1 ether);
        execute(declaration, 1 ether, noFees(), noCalls());
        assertEq(destination.balance, 1 ether);
    }

    /// A zero amount is not transferred, since some tokens refuse it.
    function test_paysNothingWithoutATransfer() public {
        Declaration memory native = transferOf(NATIVE, 100, 0);
        native.destination = address(new Rejecting());
        execute(native, 0, noFees(), noCalls());

        NonZeroToken token = new NonZeroToken();
        Declaration memory declaration = transferOf(address(token), 100, 0);
        address wallet = addressOf(declaration);
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 0, noFees(), 0);
        execute(declaration, 0, noFees(), noCalls());
    }

    // Who, when, where

    function test_refusesAnyoneButTheExecutor() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        OneTimeWallet wallet = deployed(declaration);
        for (uint256 i = 0; i < 3; i++) {
            vm.prank([owner, operator, destination][i]);
            vm.expectRevert(IOneTimeWallet.NotExecutor.selector);
            wallet.execute(declaration, 0, 100, noFees(), noCalls());
        }
    }

    function testFuzz_refusesOnceExpired(uint256 time) public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        vm.warp(bound(time, EXPIRY, type(uint64).max));
        vm.expectRevert(IOneTimeWallet.DeclarationExpired.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_executesInTheLastSecond() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        vm.warp(EXPIRY - 1);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(input.balanceOf(destination), 100);
    }

    function test_refusesASecondTime() public {
        Declaration memory declaration = transferOf(address(input), 100, 50);
        funded(declaration, 200);
        execute(declaration, 50, noFees(), noCalls());
        vm.expectRevert(IOneTimeWallet.LegAlreadyExecuted.selector);
        execute(declaration, 50, noFees(), noCalls());
    }

    function test_refusesASecondLegOnTheSameChain() public {
        Declaration memory declaration = transferOf(address(input), 100, 50);
        Leg memory leg = declaration.legs[0];
        declaration.legs = new Leg[](2);
        declaration.legs[0] = declaration.legs[1] = leg;
        declaration = abi.decode(abi.encode(declaration), (Declaration));
        declaration.legs[0].bridgeAdapter = makeAddr("adapter");
        funded(declaration, 200);
        executeLeg(declaration, 1, 50, noFees(), noCalls());
        for (uint256 i = 0; i < 2; i++) {
            vm.expectRevert(IOneTimeWallet.LegAlreadyExecuted.selector);
            executeLeg(declaration, i, 50, noFees(), noCalls());
        }
    }

    function testFuzz_refusesALegOfAnotherChain(uint64 chainId) public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        vm.assume(chainId != block.chainid && chainId != 0);
        funded(declaration, 100);
        vm.chainId(chainId);
        vm.expectRevert(IOneTimeWallet.WrongChain.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_executesTheLegOfThisChainAmongSeveral() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        Leg memory leg = declaration.legs[0];
        declaration.legs = new Leg[](2);
        declaration.legs[0].chainId = block.chainid + 1;
        declaration.legs[1] = leg;
        input.mint(addressOf(declaration), 100);
        executeLeg(declaration, 1, 100, noFees(), noCalls());
        assertEq(input.balanceOf(destination), 100);
    }

    function testFuzz_refusesAnUnknownLeg(uint256 leg) public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        leg = bound(leg, 1, type(uint256).max);
        vm.expectRevert(IOneTimeWallet.UnknownLeg.selector);
        executeLeg(declaration, leg, 100, noFees(), noCalls());
    }

    function test_refusesAnAdapterOnTheLastLeg() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        declaration.legs[0].bridgeAdapter = makeAddr("adapter");
        funded(declaration, 100);
        vm.expectRevert(IOneTimeWallet.BridgeMisplaced.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_refusesToPayOutBeforeTheLastLeg() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        Leg memory leg = declaration.legs[0];
        declaration.legs = new Leg[](2);
        declaration.legs[0] = leg;
        declaration.legs[1].chainId = block.chainid + 1;
        funded(declaration, 100);
        vm.expectRevert(IOneTimeWallet.BridgeMisplaced.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_refusesAnotherDeclaration() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        OneTimeWallet wallet = deployed(declaration);
        declaration.destination = relayer;
        vm.prank(address(executor));
        vm.expectRevert(IOneTimeWallet.WrongDeclaration.selector);
        wallet.execute(declaration, 0, 100, noFees(), noCalls());
    }

    function test_refusesTheDeclarationOfAnotherFactory() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        declaration.factory = address(new OneTimeWalletFactory(converter, runners));
        OneTimeWallet wallet = deployed(declaration);
        vm.prank(address(executor));
        vm.expectRevert(IOneTimeWallet.WrongFactory.selector);
        wallet.execute(declaration, 0, 100, noFees(), noCalls());
    }

    // How much

    function test_refusesAFeeAboveItsCap() public {
        Declaration memory declaration = withFee(transferOf(address(input), 100, 10), feeReceiver, 5);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(IOneTimeWallet.FeeAboveCap.selector, 0));
        execute(declaration, 50, fee(6), noCalls());
    }

    function testFuzz_refusesMoreThanTheMaximum(uint256 amount, uint256 taken) public {
        Declaration memory declaration = withFee(transferOf(address(input), 100, 0), feeReceiver, type(uint256).max);
        if (taken <= 100) amount = bound(amount, 101 - taken, type(uint256).max);
        vm.expectRevert(IOneTimeWallet.InputAboveMaximum.selector);
        execute(declaration, amount, fee(taken), noCalls());
    }

    function testFuzz_theMaximumHoldsAmountAndFeesTogether(uint256 amount, uint256 taken) public {
        taken = bound(taken, 1, 100);
        amount = bound(amount, 101 - taken, 100);
        Declaration memory declaration = withFee(transferOf(address(input), 100, 0), feeReceiver, 100);
        funded(declaration, 200);
        vm.expectRevert(IOneTimeWallet.InputAboveMaximum.selector);
        execute(declaration, amount, fee(taken), noCalls());
    }

    function test_refusesAnotherNumberOfFees() public {
        Declaration memory declaration = withFee(transferOf(address(input), 100, 100), feeReceiver, 5);
        vm.expectRevert(IOneTimeWallet.WrongFeeCount.selector);
        execute(declaration, 100, noFees(), noCalls());
        vm.expectRevert(IOneTimeWallet.WrongFeeCount.selector);
        execute(declaration, 100, new uint256[](2), noCalls());
    }

    function testFuzz_refusesLessThanTheMinimum(uint128 minimum, uint128 amount) public {
        minimum = uint128(bound(minimum, 1, type(uint128).max));
        amount = uint128(bound(amount, 0, minimum - 1));
        Declaration memory declaration = transferOf(address(input), minimum, minimum);
        funded(declaration, minimum);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, amount, minimum));
        execute(declaration, amount, noFees(), noCalls());
    }

    function test_refusesToPayMoreThanTheBalance() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 99);
        vm.expectRevert();
        execute(declaration, 100, noFees(), noCalls());
        Declaration memory native = transferOf(NATIVE, 100, 100);
        funded(native, 99);
        vm.expectRevert();
        execute(native, 100, noFees(), noCalls());
    }

    // Tokens that misbehave

    function test_countsTheDeliveredAmountOfATokenWithAFee() public {
        FeeOnTransferToken token = new FeeOnTransferToken();
        Declaration memory declaration = transferOf(address(token), 1000, 990);
        address wallet = funded(declaration, 1000);
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 1000, noFees(), 990);
        execute(declaration, 1000, noFees(), noCalls());

        Declaration memory tooMuch = transferOf(address(token), 1000, 991);
        funded(tooMuch, 1000);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 990, 991));
        execute(tooMuch, 1000, noFees(), noCalls());
    }

    function test_countsNothingWhereTheBalanceOfTheDestinationFalls() public {
        DrainingToken token = new DrainingToken();
        token.mint(destination, 1);
        Declaration memory declaration = transferOf(address(token), 100, 100);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 100));
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_refusesAPayoutThatReturnsFalse() public {
        FalseToken token = new FalseToken();
        token.refuse(destination);
        Declaration memory declaration = transferOf(address(token), 100, 100);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token));
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_refusesATokenWithoutCode() public {
        Declaration memory declaration = transferOf(makeAddr("nothing"), 100, 0);
        vm.expectRevert();
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_refusesALegThatTheDestinationRefuses() public {
        Declaration memory declaration = transferOf(NATIVE, 100, 100);
        declaration.destination = address(new Rejecting());
        funded(declaration, 100);
        vm.expectRevert(bytes("no"));
        execute(declaration, 100, noFees(), noCalls());
    }

    // Fees that fail

    function test_aFailingFeeDoesNotBlockTheLeg() public {
        address[3] memory receivers = [address(new Rejecting()), address(new GasBurner()), address(new ReturnBomb())];
        for (uint256 i = 0; i < receivers.length; i++) {
            Declaration memory declaration = withFee(transferOf(NATIVE, 100, 90), receivers[i], 10);
            address wallet = funded(declaration, 100);
            bytes memory data = executing(declaration, 90, fee(10), noCalls());
            vm.expectEmit(wallet);
            emit IOneTimeWallet.LegExecuted(0, 90, fee(0), 90);
            vm.prank(operator);
            (bool success,) = address(executor).call{gas: 500_000}(data);
            assertTrue(success);
            assertEq(wallet.balance, 10);
        }
    }

    function test_aFalseFeeDoesNotBlockTheLeg() public {
        FalseToken token = new FalseToken();
        token.refuse(feeReceiver);
        Declaration memory declaration = withFee(transferOf(address(token), 100, 90), feeReceiver, 10);
        address wallet = funded(declaration, 100);
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 90, fee(0), 90);
        execute(declaration, 90, fee(10), noCalls());
        assertEq(token.balanceOf(wallet), 10);
    }

    function test_reportsEveryFeeByItself() public {
        Declaration memory declaration = transferOf(NATIVE, 100, 70);
        declaration.legs[0].fees = new Fee[](3);
        declaration.legs[0].fees[0] = Fee(feeReceiver, 10);
        declaration.legs[0].fees[1] = Fee(address(new Rejecting()), 10);
        declaration.legs[0].fees[2] = Fee(relayer, 10);
        address wallet = funded(declaration, 100);
        uint256[] memory fees = new uint256[](3);
        (fees[0], fees[1], fees[2]) = (10, 10, 4);
        uint256[] memory paid = new uint256[](3);
        (paid[0], paid[1], paid[2]) = (10, 0, 4);
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 70, paid, 70);
        execute(declaration, 70, fees, noCalls());
        assertEq(feeReceiver.balance, 10);
        assertEq(relayer.balance, 4);
    }
}
