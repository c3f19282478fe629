// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Executor} from "../contracts/Executor.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {IOneTimeWalletFactory} from "../contracts/interfaces/IOneTimeWalletFactory.sol";
import {Declaration} from "../contracts/types/Declaration.sol";
import {Fixture} from "./support/Fixture.sol";

contract ExecutorTest is Fixture {
    function test_deploysTheWalletAndExecutes() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        address wallet = funded(declaration, 100);
        vm.expectEmit(address(factory));
        emit IOneTimeWalletFactory.WalletDeployed(wallet, hashOf(declaration));
        execute(declaration, 100, noFees(), noCalls());
        assertEq(input.balanceOf(destination), 100);
    }

    function test_executesInADeployedWallet() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        deployed(declaration);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(input.balanceOf(destination), 100);
    }

    function testFuzz_refusesAnyoneButOperators(address anyone) public {
        vm.assume(anyone != operator);
        Declaration memory declaration = transferOf(address(input), 100, 100);
        bytes memory data = executing(declaration, 100, noCalls());
        address wallet = addressOf(declaration);
        vm.startPrank(anyone);
        vm.expectRevert(Executor.NotOperator.selector);
        executor.execute(wallet, encoded(declaration));
        (bool success, bytes memory answer) = address(executor).call(data);
        assertFalse(success);
        assertEq(answer, abi.encodeWithSelector(Executor.NotOperator.selector));
    }

    function test_executesWithoutLookingForTheWallet() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        address wallet = address(deployed(declaration));
        vm.prank(operator);
        executor.execute(wallet, encoded(declaration));
        assertEq(input.balanceOf(destination), 100);
    }

    function test_refusesAWalletThatIsNotDeployed() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        address wallet = funded(declaration, 100);
        vm.prank(operator);
        vm.expectRevert(Executor.NoWallet.selector);
        executor.execute(wallet, encoded(declaration));
    }

    function testFuzz_makesNoOtherCall(bytes4 selector, bytes calldata arguments) public {
        vm.assume(selector != IOneTimeWallet.execute.selector);
        vm.prank(operator);
        vm.expectRevert(Executor.NotAnExecution.selector);
        executor.execute(address(input), abi.encodePacked(selector, arguments));
    }

    function test_passesOnTheWalletsRevertReason() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        address wallet = address(deployed(declaration));
        vm.warp(EXPIRY);
        vm.prank(operator);
        vm.expectRevert(IOneTimeWallet.DeclarationExpired.selector);
        executor.execute(wallet, encoded(declaration));
    }

    function encoded(Declaration memory declaration) private pure returns (bytes memory) {
        return abi.encodeCall(IOneTimeWallet.execute, (declaration, 0, 100, noFees(), noCalls()));
    }

    function test_startsWithTheOperatorsItWasGiven() public {
        address[] memory operators = new address[](2);
        (operators[0], operators[1]) = (operator, relayer);
        vm.expectEmit();
        emit Executor.OperatorChanged(operator, true);
        vm.expectEmit();
        emit Executor.OperatorChanged(relayer, true);
        Executor another = new Executor(admin, operators);
        assertTrue(another.isOperator(operator));
        assertTrue(another.isOperator(relayer));
        assertEq(another.operators(), operators);
        assertEq(another.owner(), admin);
    }

    function testFuzz_listsEveryOperatorAndNobodyElse(uint8[12] calldata accounts, bool[12] calldata allowed) public {
        vm.startPrank(admin);
        executor.setOperator(operator, false);
        bool[256] memory expected;
        for (uint256 i = 0; i < accounts.length; i++) {
            executor.setOperator(address(uint160(accounts[i])), allowed[i]);
            expected[accounts[i]] = allowed[i];
        }
        address[] memory listed = executor.operators();
        uint256 count = 0;
        for (uint256 i = 0; i < expected.length; i++) {
            assertEq(executor.isOperator(address(uint160(i))), expected[i]);
            if (expected[i]) count++;
        }
        assertEq(listed.length, count);
        for (uint256 i = 0; i < listed.length; i++) {
            assertTrue(executor.isOperator(listed[i]));
        }
    }

    function test_aSecondAppointmentOrDismissalChangesNothing() public {
        vm.startPrank(admin);
        vm.recordLogs();
        executor.setOperator(operator, true);
        executor.setOperator(relayer, false);
        assertEq(vm.getRecordedLogs().length, 0);
        assertTrue(executor.isOperator(operator));
        assertFalse(executor.isOperator(relayer));
    }

    function test_theOwnerRotatesOperators() public {
        vm.startPrank(admin);
        vm.expectEmit(address(executor));
        emit Executor.OperatorChanged(relayer, true);
        executor.setOperator(relayer, true);
        vm.expectEmit(address(executor));
        emit Executor.OperatorChanged(operator, false);
        executor.setOperator(operator, false);
        vm.stopPrank();

        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        vm.expectRevert(Executor.NotOperator.selector);
        execute(declaration, 100, noFees(), noCalls());
        bytes memory data = executing(declaration, 100, noCalls());
        vm.prank(relayer);
        (bool success,) = address(executor).call(data);
        assertTrue(success);
        assertEq(input.balanceOf(destination), 100);
    }

    function test_onlyTheOwnerRotatesOperators() public {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator));
        executor.setOperator(relayer, true);
    }

    function test_onlyTheOwnerProposesANewOne() public {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator));
        executor.transferOwnership(relayer);
    }

    function testFuzz_nobodyRenouncesTheOwnership(address anyone) public {
        vm.prank(anyone);
        vm.expectRevert(Executor.OwnerRequired.selector);
        executor.renounceOwnership();
        vm.prank(admin);
        vm.expectRevert(Executor.OwnerRequired.selector);
        executor.renounceOwnership();
        assertEq(executor.owner(), admin);
    }

    function test_aProposalCanBeTakenBack() public {
        vm.startPrank(admin);
        executor.transferOwnership(relayer);
        executor.transferOwnership(address(0));
        vm.stopPrank();
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, relayer));
        executor.acceptOwnership();
    }

    function test_theOwnerExecutesNoLeg() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        address wallet = funded(declaration, 100);
        deployed(declaration);
        vm.prank(admin);
        vm.expectRevert(Executor.NotOperator.selector);
        executor.execute(wallet, encoded(declaration));
        assertEq(input.balanceOf(wallet), 100);
    }

    function test_aNewOwnerHasToAccept() public {
        vm.prank(admin);
        executor.transferOwnership(relayer);
        assertEq(executor.owner(), admin);
        assertEq(executor.pendingOwner(), relayer);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator));
        executor.acceptOwnership();
        vm.prank(relayer);
        executor.acceptOwnership();
        assertEq(executor.owner(), relayer);
    }
}
