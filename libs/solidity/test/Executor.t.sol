// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Executor} from "../contracts/Executor.sol";
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

    function test_executesInAWalletThatIsThereAlready() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        funded(declaration, 100);
        deployed(declaration);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(input.balanceOf(destination), 100);
    }

    function testFuzz_refusesAnyoneButOperators(address anyone) public {
        vm.assume(anyone != operator);
        Declaration memory declaration = transferOf(address(input), 100, 100);
        vm.prank(anyone);
        vm.expectRevert(Executor.NotOperator.selector);
        executor.execute(declaration, 0, 100, noFees(), noCalls());
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
        assertEq(another.owner(), admin);
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
        vm.prank(relayer);
        executor.execute(declaration, 0, 100, noFees(), noCalls());
        assertEq(input.balanceOf(destination), 100);
    }

    function test_onlyTheOwnerRotatesOperators() public {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator));
        executor.setOperator(relayer, true);
    }

    function test_aNewOwnerHasToAccept() public {
        vm.prank(admin);
        executor.transferOwnership(relayer);
        assertEq(executor.owner(), admin);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator));
        executor.acceptOwnership();
        vm.prank(relayer);
        executor.acceptOwnership();
        assertEq(executor.owner(), relayer);
    }
}
