// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {NestingOperator, Thief, Vault} from "./support/Actors.sol";
import {Fixture} from "./support/Fixture.sol";
import {HookToken} from "./support/Tokens.sol";

/// @notice Attacks with a stolen executor key that carries code. Its gain is at most the gap above the declared minimum.
contract AttacksTest is Fixture {
    NestingOperator internal nesting;
    Thief internal thief;
    HookToken internal hooked;

    function setUp() public override {
        super.setUp();
        nesting = new NestingOperator(executor);
        thief = new Thief();
        hooked = new HookToken();
        vm.prank(admin);
        executor.setOperator(address(nesting), true);
    }

    // Allowances out of the converter

    function testFuzz_anExecutorThatApprovesItselfGetsOnlyTheGap(uint96 bought, uint96 stolen) public {
        bought = uint96(bound(bought, 100, type(uint96).max));
        stolen = uint96(bound(stolen, 0, bought));
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        funded(declaration, 100);
        Call[] memory calls = joined(swapping(address(input), 100, address(output), bought), stealing(output, stolen));

        (bool success,) = tryExecute(declaration, 100, calls);
        if (success) {
            assertGe(output.balanceOf(destination), 100);
            assertEq(output.balanceOf(address(thief)), stolen);
        } else {
            assertLt(bought - stolen, 100);
            assertEq(output.balanceOf(address(thief)), 0);
        }
    }

    function test_anAllowanceLeftBehindTakesNothingBetweenTransactions() public {
        leaveAllowances();
        vm.expectRevert();
        thief.take(input, address(converter), 1);
        vm.expectRevert();
        thief.take(output, address(converter), 1);
    }

    function test_anAllowanceLeftBehindTakesNothingFromTheNextPayment() public {
        leaveAllowances();
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        funded(declaration, 100);
        Call[] memory theft = one(address(thief), abi.encodeCall(Thief.take, (output, address(converter), 1)), 0);
        Call[] memory calls = joined(swapping(address(input), 100, address(output), 100), theft);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 99, 100));
        execute(declaration, 100, noFees(), calls);
    }

    function test_anAllowanceCannotReachTheWallet() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 0);
        address wallet = funded(declaration, 1000);
        execute(declaration, 100, noFees(), stealing(input, 100));
        vm.expectRevert();
        thief.take(input, wallet, 1);
        assertEq(input.balanceOf(wallet), 900);
    }

    // Another payment's payout to the same destination

    function test_aDirectPayoutNestedInTheRunIsNotCounted() public {
        Declaration memory other = transferOf(address(output), 100, 100);
        output.mint(addressOf(other), 100);
        nesting.arm(executing(other, 100, noCalls()));

        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        funded(declaration, 100);
        Call[] memory calls = joined(stealing(input, 100), one(address(nesting), strike(), 0));
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 100));
        execute(declaration, 100, noFees(), calls);
    }

    function test_aNativePayoutNestedInTheRunIsNotCounted() public {
        Declaration memory other = transferOf(NATIVE, 100, 100);
        funded(other, 100);
        nesting.arm(executing(other, 100, noCalls()));

        Declaration memory declaration = conversionOf(address(input), 100, NATIVE, 100);
        funded(declaration, 100);
        Call[] memory calls = joined(stealing(input, 100), one(address(nesting), strike(), 0));
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 100));
        execute(declaration, 100, noFees(), calls);
    }

    function test_aPayoutNestedInTheOutputTransferIsNotCounted() public {
        Declaration memory other = transferOf(address(hooked), 100, 100);
        funded(other, 100);
        nesting.arm(executing(other, 100, noCalls()));

        Declaration memory declaration = conversionOf(address(input), 100, address(hooked), 100);
        funded(declaration, 100);
        hooked.mint(address(market), 100);
        Call[] memory calls = joined(
            swapping(address(input), 100, address(hooked), 1),
            one(address(hooked), abi.encodeCall(HookToken.setSenderHook, (address(nesting))), 0)
        );
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 1, 100));
        execute(declaration, 100, noFees(), calls);
    }

    function test_twoHonestPaymentsToOneDestinationBothPay() public {
        Declaration memory other = transferOf(address(output), 100, 100);
        output.mint(addressOf(other), 100);
        nesting.arm(executing(other, 100, noCalls()));

        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        address wallet = funded(declaration, 100);
        Call[] memory calls =
            joined(swapping(address(input), 100, address(output), 100), one(address(nesting), strike(), 0));
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 100, noFees(), 100);
        execute(declaration, 100, noFees(), calls);
        assertEq(output.balanceOf(destination), 200);
    }

    // One run at a time

    function test_aConversionCannotNestInAnother() public {
        Declaration memory other = conversionOf(address(input), 100, address(output), 100);
        funded(other, 100);
        nesting.arm(executing(other, 100, swapping(address(input), 100, address(output), 100)));

        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        funded(declaration, 100);
        Call[] memory calls = one(address(nesting), strike(), 0);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        execute(declaration, 100, noFees(), calls);
    }

    function test_theConverterCannotBeCalledDuringARun() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        funded(declaration, 100);
        bytes memory inner = abi.encodeCall(converter.convert, (declaration.legs[0], address(thief), noCalls()));
        Call[] memory calls = one(address(converter), inner, 0);
        vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        execute(declaration, 100, noFees(), calls);
    }

    /// The input reaches the converter before its lock is taken: a token's hook may act in between.
    function test_anotherPaymentCannotRunOnTheInputThatJustArrived() public {
        executeThrough(one(address(hooked), abi.encodeCall(HookToken.setRecipientHook, (address(nesting))), 0));
        Declaration memory other = conversionOf(address(input), 0, address(hooked), 100);
        other.destination = address(thief);
        nesting.arm(executing(other, 0, noCalls()));

        Declaration memory declaration = conversionOf(address(hooked), 100, address(output), 100);
        address wallet = funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 0, 100));
        execute(declaration, 100, noFees(), noCalls());
        assertEq(hooked.balanceOf(wallet), 100);
    }

    // Re-entrancy into the wallet

    function test_aFeeReceiversHookCannotExecuteTheLegAgain() public {
        Declaration memory declaration = withFee(transferOf(address(hooked), 1000, 90), address(nesting), 10);
        address wallet = funded(declaration, 1000);
        vm.prank(address(nesting));
        hooked.setRecipientHook(address(nesting));
        nesting.arm(executing(declaration, 90, fee(10), noCalls()));

        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 90, fee(0), 90);
        execute(declaration, 90, fee(10), noCalls());
        assertEq(hooked.balanceOf(destination), 90);
        assertEq(hooked.balanceOf(wallet), 910);
    }

    function test_aDestinationCannotBePaidTwiceByReentering() public {
        Declaration memory declaration = transferOf(NATIVE, 1000, 100);
        declaration.destination = address(nesting);
        funded(declaration, 1000);
        nesting.arm(executing(declaration, 100, noCalls()));
        vm.expectRevert(IOneTimeWallet.LegAlreadyExecuted.selector);
        execute(declaration, 100, noFees(), noCalls());
    }

    function test_anAuthorizationCannotBeUsedAgainFromWithin() public {
        Declaration memory declaration = transferOf(NATIVE, 1000, 100);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 1000));
        deployed(declaration);
        Resubmitter resubmitter = new Resubmitter(wallet);
        ServiceAuthorization memory authorization = authorizing(declaration, sending(NATIVE, address(resubmitter), 100));
        bytes memory signature = signed(authorization, ownerKey);
        resubmitter.arm(abi.encodeCall(wallet.withdraw, (declaration, authorization, signature)));
        wallet.withdraw(declaration, authorization, signature);
        assertEq(resubmitter.answer(), abi.encodeWithSelector(IOneTimeWallet.NonceAlreadyUsed.selector));
        assertEq(address(resubmitter).balance, 100);
    }

    /// The owner's withdrawal during a run takes funds that the run does not hold yet; nothing is counted twice.
    function test_aWithdrawalDuringARunLeavesThePayoutWhole() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 150));
        ServiceAuthorization memory authorization = authorizing(declaration, sending(address(input), owner, 50));
        bytes memory withdrawal =
            abi.encodeCall(wallet.withdraw, (declaration, authorization, signed(authorization, ownerKey)));
        execute(
            declaration,
            100,
            noFees(),
            joined(one(address(wallet), withdrawal, 0), swapping(address(input), 100, address(output), 100))
        );
        assertEq(input.balanceOf(owner), 50);
        assertEq(output.balanceOf(destination), 100);
    }

    // Others

    function testFuzz_strangersCanOnlyMoveWhatTheConverterHolds(uint96 stray) public {
        input.mint(address(converter), stray);
        Declaration memory declaration = transferOf(address(input), 0, 0);
        vm.prank(relayer);
        converter.convert(declaration.legs[0], relayer, noCalls());
        assertEq(input.balanceOf(relayer), stray);
    }

    function test_customCallsCannotBeReplacedByTheExecutor() public {
        Vault vault = new Vault();
        Declaration memory declaration = transferOf(address(input), 100, 100);
        declaration.legs[0].customCalls = one(address(vault), abi.encodeCall(Vault.deposit, (input, 100, owner)), 0);
        OneTimeWallet wallet = deployed(declaration);
        declaration.legs[0].customCalls = stealing(input, 100);
        vm.prank(address(executor));
        vm.expectRevert(IOneTimeWallet.WrongDeclaration.selector);
        wallet.execute(declaration, 0, 100, noFees(), noCalls());
    }

    function stealing(IERC20 token, uint256 amount) private view returns (Call[] memory) {
        return joined(
            one(address(token), abi.encodeCall(IERC20.approve, (address(thief), amount)), 0),
            one(address(thief), abi.encodeCall(Thief.take, (token, address(converter), amount)), 0)
        );
    }

    function strike() private pure returns (bytes memory) {
        return abi.encodeCall(NestingOperator.strike, ());
    }

    function leaveAllowances() private {
        bytes memory approval = abi.encodeCall(IERC20.approve, (address(thief), type(uint256).max));
        executeThrough(joined(one(address(input), approval, 0), one(address(output), approval, 0)));
    }

    /// Arbitrary calls through the converter, in a payment of the attacker.
    function executeThrough(Call[] memory calls) private {
        execute(conversionOf(address(input), 0, address(output), 0), 0, noFees(), calls);
    }
}

/// @notice Submits an authorization again when it receives its payout.
contract Resubmitter {
    OneTimeWallet private immutable _wallet;
    bytes private _withdrawal;
    bytes public answer;

    constructor(OneTimeWallet wallet) {
        _wallet = wallet;
    }

    function arm(bytes calldata withdrawal) external {
        _withdrawal = withdrawal;
    }

    receive() external payable {
        (, answer) = address(_wallet).call(_withdrawal);
    }
}
