// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Test} from "forge-std/Test.sol";
import {DevelopmentPriceFeed} from "../contracts/development/DevelopmentPriceFeed.sol";
import {DevelopmentSanctionsList} from "../contracts/development/DevelopmentSanctionsList.sol";
import {DevelopmentTether} from "../contracts/development/DevelopmentTether.sol";
import {DevelopmentToken} from "../contracts/development/DevelopmentToken.sol";
import {DevelopmentVault} from "../contracts/development/DevelopmentVault.sol";

contract DevelopmentContractsTest is Test {
    address internal admin = makeAddr("admin");
    address internal holder = makeAddr("holder");
    address internal spender = makeAddr("spender");

    function test_tokensHaveHoldersNameAndDecimals() public {
        DevelopmentToken token = new DevelopmentToken("USD Coin", "USDC", 6, admin, holders(), 1e12);
        assertEq(token.name(), "USD Coin");
        assertEq(token.symbol(), "USDC");
        assertEq(token.decimals(), 6);
        assertEq(token.balanceOf(holder), 1e12);
        vm.prank(admin);
        token.mint(spender, 5);
        assertEq(token.balanceOf(spender), 5);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        token.mint(spender, 5);
    }

    function test_theVaultGivesSharesForItsAsset() public {
        DevelopmentToken token = new DevelopmentToken("USD Coin", "USDC", 6, admin, holders(), 1e12);
        DevelopmentVault vault = new DevelopmentVault("Vault of USD Coin", "vUSDC", token);
        assertEq(vault.symbol(), "vUSDC");
        vm.startPrank(holder);
        token.approve(address(vault), 7);
        vault.deposit(7, spender);
        assertEq(vault.balanceOf(spender), 7);
        assertEq(token.balanceOf(address(vault)), 7);
    }

    function test_theSanctionsListIsItsOwners() public {
        DevelopmentSanctionsList list = new DevelopmentSanctionsList(admin);
        assertFalse(list.isSanctioned(holder));
        vm.startPrank(admin);
        vm.expectEmit(address(list));
        emit DevelopmentSanctionsList.SanctionedAddressesAdded(holders());
        list.addToSanctionsList(holders());
        assertTrue(list.isSanctioned(holder));
        assertFalse(list.isSanctioned(spender));
        vm.expectEmit(address(list));
        emit DevelopmentSanctionsList.SanctionedAddressesRemoved(holders());
        list.removeFromSanctionsList(holders());
        assertFalse(list.isSanctioned(holder));
        vm.stopPrank();
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this));
        vm.expectRevert(refusal);
        list.addToSanctionsList(holders());
        vm.expectRevert(refusal);
        list.removeFromSanctionsList(holders());
    }

    function test_tetherReturnsNothing() public {
        DevelopmentTether tether = new DevelopmentTether(admin, holders(), 100);
        vm.startPrank(holder);
        assertEq(answer(address(tether), abi.encodeCall(tether.transfer, (spender, 10))).length, 0);
        assertEq(answer(address(tether), abi.encodeCall(tether.approve, (spender, 50))).length, 0);
        vm.startPrank(spender);
        assertEq(answer(address(tether), abi.encodeCall(tether.transferFrom, (holder, spender, 20))).length, 0);
        assertEq(tether.balanceOf(spender), 30);
        assertEq(tether.allowance(holder, spender), 30);
    }

    function test_tetherEmitsTransfers() public {
        vm.expectEmit();
        emit DevelopmentTether.Transfer(address(0), holder, 100);
        DevelopmentTether tether = new DevelopmentTether(admin, holders(), 100);
        assertEq(tether.totalSupply(), 100);
        vm.startPrank(holder);
        vm.expectEmit(address(tether));
        emit DevelopmentTether.Transfer(holder, spender, 10);
        tether.transfer(spender, 10);
        vm.expectEmit(address(tether));
        emit DevelopmentTether.Approval(holder, spender, 50);
        tether.approve(spender, 50);
    }

    function test_tetherRefuses() public {
        DevelopmentTether tether = new DevelopmentTether(admin, holders(), 100);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        tether.mint(spender, 5);
        vm.startPrank(holder);
        vm.expectRevert(DevelopmentTether.InsufficientBalance.selector);
        tether.transfer(spender, 101);
        tether.approve(spender, 50);
        vm.expectRevert(DevelopmentTether.AllowanceNotZero.selector);
        tether.approve(spender, 60);
        tether.approve(spender, 0);
        tether.approve(spender, type(uint256).max);
        vm.startPrank(spender);
        tether.transferFrom(holder, spender, 100);
        assertEq(tether.allowance(holder, spender), type(uint256).max);
        vm.expectRevert(DevelopmentTether.InsufficientAllowance.selector);
        tether.transferFrom(admin, spender, 1);
    }

    function test_priceFeedsAreNeverStale() public {
        DevelopmentPriceFeed feed = new DevelopmentPriceFeed("ETH / USD", 3000e8, admin);
        assertEq(feed.decimals(), 8);
        assertEq(feed.description(), "ETH / USD");
        vm.warp(1_900_000_000);
        (uint80 round, int256 price,, uint256 updatedAt, uint80 answeredIn) = feed.latestRoundData();
        assertEq(price, 3000e8);
        assertEq(updatedAt, 1_900_000_000);
        assertEq(round, answeredIn);
    }

    function test_theOwnerSetsThePrice() public {
        DevelopmentPriceFeed feed = new DevelopmentPriceFeed("ETH / USD", 3000e8, admin);
        vm.prank(admin);
        vm.expectEmit(address(feed));
        emit DevelopmentPriceFeed.AnswerUpdated(2500e8, 2, block.timestamp);
        feed.setAnswer(2500e8);
        (uint80 round, int256 price,,,) = feed.getRoundData(2);
        assertEq(price, 2500e8);
        assertEq(round, 2);
        vm.expectRevert(DevelopmentPriceFeed.UnknownRound.selector);
        feed.getRoundData(1);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        feed.setAnswer(1);
    }

    function holders() private view returns (address[] memory list) {
        list = new address[](1);
        list[0] = holder;
    }

    function answer(address target, bytes memory data) private returns (bytes memory result) {
        bool success;
        (success, result) = target.call(data);
        assertTrue(success);
    }
}
