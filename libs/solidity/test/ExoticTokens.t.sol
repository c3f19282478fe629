// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DevelopmentTether} from "../contracts/development/DevelopmentTether.sol";
import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Currency} from "../contracts/libraries/Currency.sol";
import {Declaration} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {Fixture} from "./support/Fixture.sol";
import {BlacklistToken, FalseToken, FeeOnTransferToken, RebasingToken, WideToken} from "./support/Tokens.sol";

/// @notice Legs and withdrawals with tokens that deviate from ERC-20.
contract ExoticTokensTest is Fixture {
    function test_moreThanEighteenDecimals() public {
        WideToken token = new WideToken();
        uint256 amount = 3 * 10 ** 36 + 1;
        pays(address(token), amount);
        assertEq(token.balanceOf(destination), amount);
        withdraws(address(token), amount);
    }

    function test_theWholeRangeOfAmounts() public {
        pays(address(input), type(uint256).max);
        assertEq(input.balanceOf(destination), type(uint256).max);
    }

    // Nothing returned

    function test_convertsATokenWithoutAReturnValue() public {
        DevelopmentTether tether = new DevelopmentTether(admin, new address[](0), 0);
        Declaration memory declaration = conversionOf(address(tether), 100, address(output), 200);
        vm.startPrank(admin);
        tether.mint(addressOf(declaration), 100);
        tether.mint(address(market), 1);
        vm.stopPrank();
        execute(declaration, 100, noFees(), swapping(address(tether), 100, address(output), 200));
        assertEq(output.balanceOf(destination), 200);
        assertEq(tether.balanceOf(address(market)), 101);
    }

    // Blacklists

    function test_aBlockedDestinationFailsTheLegAndTheOwnerTakesTheMoney() public {
        BlacklistToken token = new BlacklistToken();
        token.blockAccount(destination);
        Declaration memory declaration = transferOf(address(token), 100, 100);
        funded(declaration, 100);
        vm.expectRevert("blocked");
        execute(declaration, 100, noFees(), noCalls());
        withdraws(declaration, 100);
    }

    function test_aBlockedFeeReceiverDoesNotStopThePayment() public {
        BlacklistToken token = new BlacklistToken();
        token.blockAccount(feeReceiver);
        Declaration memory declaration = withFee(transferOf(address(token), 100, 90), feeReceiver, 10);
        address wallet = funded(declaration, 100);
        vm.expectEmit(wallet);
        emit IOneTimeWallet.LegExecuted(0, 90, fee(0), 90);
        execute(declaration, 90, fee(10), noCalls());
        assertEq(token.balanceOf(destination), 90);
        withdraws(declaration, 10);
    }

    function test_aBlockedWalletGivesNothingAndIsFreeAgainLater() public {
        BlacklistToken token = new BlacklistToken();
        Declaration memory declaration = transferOf(address(token), 100, 100);
        address wallet = funded(declaration, 100);
        token.blockAccount(wallet);
        vm.expectRevert("blocked");
        execute(declaration, 100, noFees(), noCalls());
        token.freeAccount(wallet);
        execute(declaration, 100, noFees(), noCalls());
        assertEq(token.balanceOf(destination), 100);
    }

    // Balances that change by themselves

    function test_aBalanceThatGrewIsPaidByTheExecutorsAmount() public {
        RebasingToken token = new RebasingToken();
        Declaration memory declaration = transferOf(address(token), 1000, 100);
        funded(declaration, 100);
        token.rebase(11, 10);
        execute(declaration, 110, noFees(), noCalls());
        assertEq(token.balanceOf(destination), 110);
    }

    function test_aBalanceThatShrankFailsTheLegAndTheOwnerTakesTheRest() public {
        RebasingToken token = new RebasingToken();
        Declaration memory declaration = transferOf(address(token), 100, 100);
        funded(declaration, 100);
        token.rebase(9, 10);
        vm.expectRevert();
        execute(declaration, 100, noFees(), noCalls());
        vm.expectRevert(abi.encodeWithSelector(Currency.BelowMinimum.selector, 90, 100));
        execute(declaration, 90, noFees(), noCalls());
        withdraws(declaration, 90);
    }

    // Fees of the token's own

    function test_aConversionOfATokenWithAFee() public {
        FeeOnTransferToken token = new FeeOnTransferToken();
        Declaration memory declaration = conversionOf(address(token), 1000, address(output), 5);
        funded(declaration, 1000);
        execute(declaration, 1000, noFees(), swapping(address(token), 990, address(output), 5));
        assertEq(output.balanceOf(destination), 5);
    }

    // False

    function test_anInputThatCannotReachTheConverter() public {
        FalseToken token = new FalseToken();
        token.refuse(address(converter));
        Declaration memory declaration = conversionOf(address(token), 100, address(output), 5);
        funded(declaration, 100);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token));
        execute(declaration, 100, noFees(), noCalls());
    }

    function pays(address token, uint256 amount) private {
        Declaration memory declaration = transferOf(token, amount, amount);
        funded(declaration, amount);
        execute(declaration, amount, noFees(), noCalls());
    }

    function withdraws(address token, uint256 amount) private {
        vm.prank(destination);
        (bool success,) = token.call(abi.encodeWithSignature("transfer(address,uint256)", address(0xdead), amount));
        assertTrue(success);
        Declaration memory declaration = transferOf(token, amount, amount);
        funded(declaration, amount);
        withdraws(declaration, amount);
    }

    function withdraws(Declaration memory declaration, uint256 amount) private {
        address token = declaration.legs[0].inputToken;
        OneTimeWallet wallet = deployed(declaration);
        ServiceAuthorization memory authorization = authorizing(declaration, sending(token, owner, amount));
        wallet.withdraw(declaration, authorization, signed(authorization, ownerKey));
        assertEq(FalseToken(token).balanceOf(owner), amount);
    }
}
