// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ActionRunner} from "../contracts/ActionRunner.sol";
import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {DevelopmentTether} from "../contracts/development/DevelopmentTether.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Calls} from "../contracts/libraries/Calls.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {Market, Rejecting, Thief, Vault} from "./support/Actors.sol";
import {Fixture} from "./support/Fixture.sol";
import {BlacklistToken, FalseToken, FeeOnTransferToken, HookToken, IHook, NonZeroToken} from "./support/Tokens.sol";

/// @notice Custom calls, run by the wallet's own runner, and attacks on them.
contract ActionRunnerTest is Fixture {
    Vault internal vault;

    function setUp() public override {
        super.setUp();
        vault = new Vault();
    }

    // Runs

    function test_theCallsUseTheOutputAndTheRestIsPaid() public {
        Declaration memory declaration = depositing(200);
        address wallet = funded(declaration, 100);

        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 100, noFees(), 300);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 300));

        assertEq(vault.deposits(owner), 200);
        assertEq(output.balanceOf(destination), 100);
        assertRunnerIsEmpty(declaration);
    }

    function testFuzz_whatTheCallsLeaveGoesToTheDestination(uint96 bought, uint96 used, uint96 minimum) public {
        Declaration memory declaration = depositing(used);
        declaration.legs[0].minOutput = minimum;
        address wallet = funded(declaration, 100);
        (bool success, bytes memory reason) =
            tryExecute(declaration, 100, swapping(address(input), 100, address(output), bought));
        if (success) {
            assertGe(bought, minimum);
            assertEq(vault.deposits(owner), used);
            assertEq(output.balanceOf(destination), bought - used);
            assertRunnerIsEmpty(declaration);
        } else {
            assertTrue(bought < minimum || bought < used);
            if (bought < minimum) {
                assertEq(reason, abi.encodeWithSelector(Currency.BelowMinimum.selector, bought, minimum));
            }
            assertEq(input.balanceOf(wallet), 100);
        }
    }

    function test_theCallsMayUseEverythingOfATransfer() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        declaration.legs[0].customCalls = deposit(address(input), 100);
        funded(declaration, 100);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(vault.deposits(owner), 100);
        assertEq(input.balanceOf(destination), 0);
    }

    function test_theCallsSpendNativeCurrency() public {
        Declaration memory declaration = transferOf(NATIVE, 1 ether, 1 ether);
        declaration.legs[0].customCalls = one(address(vault), abi.encodeCall(Vault.depositNative, (owner)), 0.6 ether);
        funded(declaration, 1 ether);
        execute(declaration, 1 ether, noFees(), noCalls());
        assertEq(vault.deposits(owner), 0.6 ether);
        assertEq(destination.balance, 0.4 ether);
        assertRunnerIsEmpty(declaration);
    }

    function test_theCallsDoNotRunBelowTheMinimum() public {
        Declaration memory declaration = depositing(100);
        declaration.legs[0].minOutput = 200;
        funded(declaration, 100);
        Call[] memory calls = swapping(address(input), 100, address(output), 199);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 199, 200));
        execute(declaration, 100, noFees(), calls);
    }

    function test_whatATokenKeepsForItselfDoesNotReachTheMinimum() public {
        FeeOnTransferToken token = new FeeOnTransferToken();
        // 10000 reach the converter as 9900 and the runner as 9801.
        Declaration memory declaration = transferOf(address(token), 10_000, 9802);
        declaration.legs[0].customCalls = deposit(address(token), 1);
        funded(declaration, 10_000);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 9801, 9802));
        execute(declaration, 10_000, noFees(), noCalls());
    }

    function test_aFailingCallFailsTheLegWithTheMoneyInTheWallet() public {
        Declaration memory declaration = depositing(201);
        address wallet = funded(declaration, 100);
        (bool success,) = tryExecute(declaration, 100, swapping(address(input), 100, address(output), 200));
        assertFalse(success);
        assertEq(input.balanceOf(wallet), 100);
        assertEq(address(runnerOf(declaration)).code.length, 0);

        declaration = transferOf(address(input), 100, 100);
        declaration.legs[0].customCalls = one(relayer, hex"00", 0);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(Calls.TargetWithoutCode.selector, relayer));
        execute(declaration, 100, noFees(), noCalls());
    }

    /// The allowance that the first call leaves is the second's to use.
    function test_theOwnerTakesTheMoneyOfAFailedLeg() public {
        Declaration memory declaration = depositing(201);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 100));
        tryExecute(declaration, 100, swapping(address(input), 100, address(output), 200));
        deployed(declaration);
        withdraws(wallet, declaration, sending(address(input), owner, 100));
        assertEq(input.balanceOf(owner), 100);
    }

    function test_theRestOfTheInputAndOfNativeCurrencyGoesToTheDestinationToo() public {
        Market market_ = new Market();
        input.mint(address(market_), 30);
        vm.deal(address(market_), 7);
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        declaration.legs[0].customCalls = joined(
            joined(
                one(address(output), abi.encodeCall(IERC20.approve, (address(market_), 60)), 0),
                one(address(market_), abi.encodeCall(Market.swap, (address(output), 50, address(input), 30)), 0)
            ),
            one(address(market_), abi.encodeCall(Market.swap, (address(output), 10, NATIVE, 7)), 0)
        );
        address wallet = funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        assertEq(output.balanceOf(destination), 40);
        assertEq(input.balanceOf(destination), 30);
        assertEq(destination.balance, 7);
        assertEq(input.balanceOf(wallet), 0);
        assertRunnerIsEmpty(declaration);
    }

    function test_sendsNothingOfWhatTheCallsUsedUp() public {
        NonZeroToken token = new NonZeroToken();
        Declaration memory declaration = conversionOf(address(input), 100, address(token), 50);
        token.mint(address(market), 50);
        declaration.legs[0].customCalls = deposit(address(token), 50);
        funded(declaration, 100);
        bytes memory payout = abi.encodeWithSelector(IERC20.transfer.selector, destination);
        vm.expectCall(address(token), payout, 0);
        vm.expectCall(address(input), payout, 0);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(token), 50));
        assertEq(vault.deposits(owner), 50);
    }

    function test_aRunnerHasItsOwnPredictableAddress() public {
        Declaration memory declaration = depositing(100);
        address runner = address(runnerOf(declaration));
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        assertNotEq(runner.code.length, 0);
        assertNotEq(runner, address(runnerOf(depositing(100))));
    }

    function test_legsWithoutCustomCallsHaveNoRunner() public {
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        assertEq(address(runnerOf(declaration)).code.length, 0);
    }

    // The destination

    function test_aDestinationThatRefusesTheRestFailsTheLeg() public {
        Declaration memory declaration = transferOf(NATIVE, 100, 100);
        declaration.destination = address(new Rejecting());
        declaration.legs[0].customCalls = one(address(vault), abi.encodeCall(Vault.depositNative, (owner)), 99);
        address wallet = funded(declaration, 100);
        vm.expectRevert(bytes("no"));
        execute(declaration, 100, noFees(), noCalls());
        assertEq(wallet.balance, 100);
    }

    /// Anyone can send a little to the runner's address before the leg.
    function test_otherCurrencyThatTheDestinationRefusesDoesNotFailTheLeg() public {
        Declaration memory declaration = depositing(100);
        declaration.destination = address(new Rejecting());
        funded(declaration, 100);
        ActionRunner runner = runnerOf(declaration);
        vm.deal(address(runner), 1);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        assertEq(vault.deposits(owner), 100);
        assertEq(address(runner).balance, 1);
    }

    function test_dustOfAnOutputThatTheDestinationRefusesFailsTheLeg() public {
        Declaration memory declaration = transferOf(NATIVE, 100, 100);
        declaration.destination = address(new Rejecting());
        declaration.legs[0].customCalls = one(address(vault), abi.encodeCall(Vault.depositNative, (owner)), 100);
        address wallet = funded(declaration, 100);
        vm.deal(address(runnerOf(declaration)), 1);
        vm.expectRevert(bytes("no"));
        execute(declaration, 100, noFees(), noCalls());
        assertEq(wallet.balance, 100);

        vm.deal(address(runnerOf(declaration)), 0);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(vault.deposits(owner), 100);
    }

    function test_aTokenThatCannotReachTheDestinationIsTheOwners() public {
        BlacklistToken token = new BlacklistToken();
        token.blockAccount(destination);
        Declaration memory declaration = conversionOf(address(token), 100, address(output), 100);
        declaration.legs[0].customCalls = deposit(address(output), 100);
        funded(declaration, 100);
        ActionRunner runner = runnerOf(declaration);
        token.mint(address(runner), 5);
        execute(declaration, 100, noFees(), swapping(address(token), 100, address(output), 100));
        assertEq(token.balanceOf(address(runner)), 5);
        Call[] memory rest = one(address(runner), running(runner, sending(address(token), owner, 5)), 0);
        withdraws(OneTimeWallet(addressOf(declaration)), declaration, rest);
        assertEq(token.balanceOf(owner), 5);
    }

    /// As everything that reaches the wallet itself too late.
    function test_whatArrivesLaterIsTheOwners() public {
        Declaration memory declaration = depositing(100);
        ActionRunner runner = ran(declaration);
        output.mint(address(runner), 10);
        vm.deal(address(runner), 3);
        withdraws(
            OneTimeWallet(addressOf(declaration)), declaration, one(address(runner), running(runner, noCalls()), 0)
        );
        assertEq(output.balanceOf(owner), 10);
        assertEq(owner.balance, 3);
    }

    /// The leg was never executed, and nobody had deployed anything.
    function test_theOwnerTakesWhatWasSentToARunnerThatDoesNotExist() public {
        Declaration memory declaration = depositing(100);
        ActionRunner runner = runnerOf(declaration);
        output.mint(address(runner), 10);
        OneTimeWallet wallet = deployed(declaration);
        runners.deploy(address(wallet));
        withdraws(wallet, declaration, one(address(runner), running(runner, noCalls()), 0));
        assertEq(output.balanceOf(owner), 10);
    }

    // Callers

    function testFuzz_refusesAnyoneButItsWallet(address caller) public {
        Declaration memory declaration = depositing(100);
        ActionRunner runner = ran(declaration);
        vm.assume(caller != addressOf(declaration));
        vm.prank(caller);
        vm.expectRevert(ActionRunner.NotWallet.selector);
        runner.convert(declaration.legs[0], caller, noCalls());
    }

    function test_refusesAnotherWalletWithTheSameDestination() public {
        ActionRunner runner = ran(depositing(100));
        output.mint(address(runner), 10);
        Declaration memory other = depositing(100);
        OneTimeWallet wallet = deployed(other);
        bytes memory theft = running(runner, sending(address(output), relayer, 10));
        ServiceAuthorization memory authorization = authorizing(other, one(address(runner), theft, 0));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(ActionRunner.NotWallet.selector);
        wallet.withdraw(other, authorization, signature);
    }

    /// What the calls left in the runner's name, such as a position in a protocol, is the owner's to move.
    function test_theOwnerMakesTheRunnersLaterCalls() public {
        Declaration memory declaration = depositing(100);
        ActionRunner runner = ran(declaration);
        HookToken other = new HookToken();
        other.mint(address(runner), 10);
        bytes memory calls = running(runner, sending(address(other), owner, 10));
        withdraws(OneTimeWallet(addressOf(declaration)), declaration, one(address(runner), calls, 0));
        assertEq(other.balanceOf(owner), 10);
    }

    function test_theImplementationServesNobody() public {
        ActionRunner implementation = ActionRunner(payable(runners.implementation()));
        Declaration memory declaration = depositing(1);
        vm.expectRevert();
        implementation.convert(declaration.legs[0], relayer, noCalls());
    }

    function testFuzz_anyoneDeploysARunnerWhichServesItsWalletAlone(address caller) public {
        Declaration memory declaration = depositing(100);
        ActionRunner runner = runnerOf(declaration);
        vm.prank(caller);
        assertEq(runners.deploy(addressOf(declaration)), address(runner));
        assertNotEq(address(runner).code.length, 0);
        assertEq(runners.deploy(addressOf(declaration)), address(runner));
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        assertEq(vault.deposits(owner), 100);
    }

    function testFuzz_theAddressOfARunnerDoesNotDependOnTheChain(address wallet, uint64 chainId) public {
        address runner = runners.predict(wallet);
        vm.chainId(bound(chainId, 1, type(uint64).max));
        assertEq(runners.predict(wallet), runner);
        assertEq(runners.deploy(wallet), runner);
    }

    // Control for strangers during a call

    function test_aStrangerCannotRunARunner() public {
        Declaration memory declaration = depositing(100);
        declaration.legs[0].minOutput = 300;
        ActionRunner runner = runnerOf(declaration);
        Stranger stranger = new Stranger(address(runner), running(runner, sending(address(output), relayer, 200)));
        vault.setStranger(stranger);
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 300));
        assertEq(
            stranger.answer(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
        assertEq(output.balanceOf(destination), 200);
    }

    function test_theOwnersWithdrawalDuringARunTakesNothingOfIt() public {
        Declaration memory declaration = depositing(100);
        declaration.legs[0].minOutput = 300;
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 150));
        ActionRunner runner = runnerOf(declaration);
        bytes memory theft = running(runner, sending(address(output), owner, 200));
        Stranger stranger = new Stranger(address(wallet), withdrawal(declaration, one(address(runner), theft, 0)));
        vault.setStranger(stranger);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 300));
        assertEq(
            stranger.answer(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
        assertEq(output.balanceOf(destination), 200);
    }

    function test_theOwnersWithdrawalDuringARunTakesWhatTheLegLeft() public {
        Declaration memory declaration = depositing(100);
        address wallet = funded(declaration, 150);
        vault.setStranger(new Stranger(wallet, withdrawal(declaration, sending(address(input), owner, 50))));
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 300));
        assertEq(input.balanceOf(owner), 50);
        assertEq(output.balanceOf(destination), 200);
    }

    function test_theLegCannotBeExecutedAgainDuringARun() public {
        Declaration memory declaration = depositing(100);
        funded(declaration, 200);
        Call[] memory calls = swapping(address(input), 100, address(output), 100);
        Stranger stranger = new Stranger(address(executor), executing(declaration, 100, calls));
        vm.prank(admin);
        executor.setOperator(address(stranger), true);
        vault.setStranger(stranger);
        execute(declaration, 100, noFees(), calls);
        assertEq(stranger.answer(), abi.encodeWithSelector(IOneTimeWallet.LegAlreadyExecuted.selector));
    }

    /// The Converter is free while calls run.
    function test_anotherPaymentsConversionDuringARunPaysBoth() public {
        Declaration memory other = conversionOf(address(input), 100, address(output), 70);
        funded(other, 100);
        Stranger stranger =
            new Stranger(address(executor), executing(other, 100, swapping(address(input), 100, address(output), 70)));
        vm.prank(admin);
        executor.setOperator(address(stranger), true);
        vault.setStranger(stranger);
        Declaration memory declaration = depositing(100);
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 300));
        assertEq(stranger.answer(), "");
        assertEq(output.balanceOf(destination), 200 + 70);
    }

    // Allowances that calls leave

    function test_anAllowanceLeftBehindTakesNothing() public {
        Thief thief = new Thief();
        Call[] memory approvals = joined(
            one(address(output), abi.encodeCall(IERC20.approve, (address(thief), type(uint256).max)), 0),
            one(address(input), abi.encodeCall(IERC20.approve, (address(thief), type(uint256).max)), 0)
        );
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        declaration.legs[0].customCalls = approvals;
        address wallet = funded(declaration, 150);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        ActionRunner runner = runnerOf(declaration);
        assertEq(output.allowance(address(runner), address(thief)), type(uint256).max);

        assertEq(output.balanceOf(destination), 100);
        address[3] memory victims = [address(runner), wallet, address(converter)];
        for (uint256 i = 0; i < victims.length; i++) {
            vm.expectRevert();
            thief.take(output, victims[i], 1);
            vm.expectRevert();
            thief.take(input, victims[i], 1);
        }
        // Nor from the next payment, whose calls give the thief control.
        vault.setStranger(
            new Stranger(address(thief), abi.encodeCall(Thief.take, (output, address(runnerOf(depositing(1))), 1)))
        );
        Declaration memory next = depositing(100);
        funded(next, 100);
        execute(next, 100, noFees(), swapping(address(input), 100, address(output), 300));
        assertEq(output.balanceOf(address(thief)), 0);
        assertEq(output.balanceOf(destination), 100 + 200);
    }

    function test_anAllowanceLeftBehindTakesWhatArrivesLater() public {
        Thief thief = new Thief();
        Declaration memory declaration = conversionOf(address(input), 100, address(output), 100);
        declaration.legs[0].customCalls =
            one(address(output), abi.encodeCall(IERC20.approve, (address(thief), type(uint256).max)), 0);
        ActionRunner runner = ran(declaration);
        output.mint(address(runner), 10);
        thief.take(output, address(runner), 10);
        assertEq(output.balanceOf(address(thief)), 10);
    }

    // Money at the runner's address before the leg

    function testFuzz_whatLiesAtTheRunnersAddressDoesNotReachTheMinimum(uint96 stray) public {
        Declaration memory declaration = depositing(100);
        declaration.legs[0].minOutput = 100;
        funded(declaration, 100);
        output.mint(address(runnerOf(declaration)), stray);
        Call[] memory calls = swapping(address(input), 100, address(output), 99);
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 99, 100));
        execute(declaration, 100, noFees(), calls);

        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        assertEq(output.balanceOf(destination), stray);
    }

    function test_theExecutorCannotUseTheRunner() public {
        Declaration memory declaration = depositing(0);
        ActionRunner runner = runnerOf(declaration);
        output.mint(address(runner), 100);
        funded(declaration, 100);
        Call[] memory calls = joined(
            one(address(runners), abi.encodeCall(runners.deploy, (addressOf(declaration))), 0),
            one(address(runner), running(runner, sending(address(output), relayer, 100)), 0)
        );
        vm.expectRevert(ActionRunner.NotWallet.selector);
        execute(declaration, 100, noFees(), calls);
    }

    // Others

    function test_aCallThatAsksTheRunnerToAcceptATokenFailsTheLeg() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        SafeMinter minter = new SafeMinter();
        declaration.legs[0].customCalls = one(address(minter), abi.encodeCall(SafeMinter.mint, ()), 0);
        address wallet = funded(declaration, 100);
        vm.expectRevert();
        execute(declaration, 100, noFees(), noCalls());
        assertEq(input.balanceOf(wallet), 100);
    }

    function test_nativeCurrencyThatACallSendsToTheWalletIsTheOwners() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        declaration.expiry++;
        Market market_ = new Market();
        vm.deal(address(market_), 5);
        declaration.legs[0].customCalls =
            joined(one(address(market_), abi.encodeCall(Market.swap, (NATIVE, 0, NATIVE, 5)), 0), one(relayer, "", 3));
        funded(declaration, 100);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(relayer.balance, 3);
        assertEq(destination.balance, 2);

        Returning returning = new Returning();
        vm.deal(address(returning), 5);
        declaration.legs[0].customCalls = one(address(returning), abi.encodeCall(Returning.giveBack, ()), 0);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 100));
        returning.setTo(address(wallet));
        execute(declaration, 100, noFees(), noCalls());
        assertEq(address(wallet).balance, 5);
        withdraws(wallet, declaration, sending(NATIVE, owner, 5));
        assertEq(owner.balance, 5);
    }

    function test_aTokenWithoutAReturnValue() public {
        DevelopmentTether tether = new DevelopmentTether(address(this), new address[](0), 0);
        tether.mint(address(market), 300);
        Declaration memory declaration = conversionOf(address(input), 100, address(tether), 300);
        declaration.legs[0].customCalls = deposit(address(tether), 200);
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(tether), 300));
        assertEq(vault.deposits(owner), 200);
        assertEq(tether.balanceOf(destination), 100);
    }

    function test_aTokenThatReturnsFalseForTheRestFailsTheLeg() public {
        FalseToken token = new FalseToken();
        token.refuse(destination);
        Declaration memory declaration = transferOf(address(token), 100, 100);
        declaration.legs[0].customCalls = deposit(address(token), 50);
        address wallet = funded(declaration, 100);
        vm.expectRevert();
        execute(declaration, 100, noFees(), noCalls());
        assertEq(token.balanceOf(wallet), 100);
    }

    function test_aBlockedRunnerFailsTheLegAndTheOwnerTakesTheMoney() public {
        BlacklistToken token = new BlacklistToken();
        Declaration memory declaration = transferOf(address(token), 100, 100);
        declaration.legs[0].customCalls = deposit(address(token), 50);
        OneTimeWallet wallet = OneTimeWallet(funded(declaration, 100));
        token.blockAccount(address(runnerOf(declaration)));
        vm.expectRevert("blocked");
        execute(declaration, 100, noFees(), noCalls());
        deployed(declaration);
        withdraws(wallet, declaration, sending(address(token), owner, 100));
        assertEq(token.balanceOf(owner), 100);
    }

    function depositing(uint256 amount) private returns (Declaration memory declaration) {
        declaration = conversionOf(address(input), 100, address(output), 0);
        declaration.legs[0].customCalls = deposit(address(output), amount);
    }

    function deposit(address token, uint256 amount) private view returns (Call[] memory) {
        return joined(
            one(token, abi.encodeCall(IERC20.approve, (address(vault), amount)), 0),
            one(address(vault), abi.encodeCall(Vault.deposit, (IERC20(token), amount, owner)), 0)
        );
    }

    /// Call to a runner, whose rest goes to the owner.
    function running(ActionRunner runner, Call[] memory calls) private returns (bytes memory) {
        return abi.encodeCall(runner.convert, (depositing(0).legs[0], owner, calls));
    }

    /// After the leg.
    function ran(Declaration memory declaration) private returns (ActionRunner) {
        funded(declaration, 100);
        execute(declaration, 100, noFees(), swapping(address(input), 100, address(output), 100));
        return runnerOf(declaration);
    }

    function withdrawal(Declaration memory declaration, Call[] memory actions) private returns (bytes memory) {
        ServiceAuthorization memory authorization = authorizing(declaration, actions);
        return abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signed(authorization, ownerKey)));
    }

    function withdraws(OneTimeWallet wallet, Declaration memory declaration, Call[] memory actions) private {
        (bool success,) = address(wallet).call(withdrawal(declaration, actions));
        assertTrue(success);
    }

    function assertRunnerIsEmpty(Declaration memory declaration) private view {
        address runner = address(runnerOf(declaration));
        assertEq(input.balanceOf(runner), 0);
        assertEq(output.balanceOf(runner), 0);
        assertEq(runner.balance, 0);
    }
}

/// @notice Makes one call when it gets control, and keeps the answer.
contract Stranger is IHook {
    address private immutable _target;
    bytes private _data;
    bytes public answer;

    constructor(address target, bytes memory data) {
        (_target, _data) = (target, data);
    }

    function onTransfer(address, address, uint256) external {
        (, answer) = _target.call(_data);
    }
}

/// @notice Asks its caller, as ERC-721's safe transfers and mints do, to accept a token.
contract SafeMinter {
    function mint() external {
        IERC721Receiver(msg.sender).onERC721Received(msg.sender, address(0), 1, "");
    }
}

/// @notice Sends its native currency to an account.
contract Returning {
    address private _to;

    function setTo(address to) external {
        _to = to;
    }

    function giveBack() external {
        (bool success,) = _to.call{value: address(this).balance}("");
        require(success, "refused");
    }
}
