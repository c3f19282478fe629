// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {OneTimeWalletFactory} from "../contracts/OneTimeWalletFactory.sol";
import {DevelopmentTether} from "../contracts/development/DevelopmentTether.sol";
import {IOneTimeWallet} from "../contracts/interfaces/IOneTimeWallet.sol";
import {Calls} from "../contracts/libraries/Calls.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {RefusingAccount, Silent, SmartAccount} from "./support/Actors.sol";
import {DelegationVm} from "./support/DelegationVm.sol";
import {Fixture} from "./support/Fixture.sol";
import {Denying, FalseToken, WordyToken} from "./support/Tokens.sol";

contract OneTimeWalletWithdrawTest is Fixture {
    bytes private _declared;
    OneTimeWallet internal wallet;

    function setUp() public override {
        super.setUp();
        Declaration memory declaration = withFee(transferOf(address(input), 100, 90), feeReceiver, 10);
        funded(declaration, 100);
        wallet = deployed(declaration);
        use(declaration);
    }

    function test_makesTheSignedCallsWhoeverSubmitsThem() public {
        ServiceAuthorization memory authorization = returning(100);
        bytes memory signature = signed(authorization, ownerKey);

        vm.expectEmit(address(wallet));
        emit IOneTimeWallet.Withdrawn(authorization.nonce, hashOf(declared()), false);
        vm.prank(relayer);
        wallet.withdraw(declared(), authorization, signature);

        assertEq(input.balanceOf(owner), 100);
        assertTrue(wallet.nonceUsed(authorization.nonce));
        assertFalse(wallet.executorEnded());
    }

    function testFuzz_paysOwnerAndFee(uint96 amount, uint96 fee_, uint96 native) public {
        vm.deal(address(wallet), native);
        input.mint(address(wallet), uint256(amount) + fee_);
        ServiceAuthorization memory authorization = authorizing(
            declared(),
            joined(
                joined(sending(address(input), owner, amount), sending(address(input), relayer, fee_)),
                sending(NATIVE, owner, native)
            )
        );
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(input.balanceOf(owner), amount);
        assertEq(input.balanceOf(relayer), fee_);
        assertEq(owner.balance, native);
        assertEq(input.balanceOf(address(wallet)), 100);
    }

    function test_worksAfterTheDeclarationExpired() public {
        vm.warp(EXPIRY + 1 days);
        ServiceAuthorization memory authorization = returning(100);
        authorization.nonce = nonceOf(block.timestamp + 1, 1);
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(input.balanceOf(owner), 100);
    }

    function test_rescuesMoneyOnAChainWithoutALeg() public {
        vm.chainId(4242);
        ServiceAuthorization memory authorization = returning(100);
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(input.balanceOf(owner), 100);
    }

    // Blame

    function test_acceptedBlameEndsTheExecutor() public {
        ServiceAuthorization memory authorization = returning(1);
        authorization.accept_blame = true;
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectEmit(address(wallet));
        emit IOneTimeWallet.Withdrawn(authorization.nonce, hashOf(declared()), true);
        wallet.withdraw(declared(), authorization, signature);
        assertTrue(wallet.executorEnded());

        vm.expectRevert(IOneTimeWallet.ExecutorEnded.selector);
        execute(declared(), 90, fee(5), noCalls());
    }

    function test_withoutBlameThePaymentContinues() public {
        ServiceAuthorization memory authorization = returning(1);
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        execute(declared(), 90, fee(9), noCalls());
        assertEq(input.balanceOf(destination), 90);
    }

    function test_blameOnceAcceptedStays() public {
        ServiceAuthorization memory authorization = returning(1);
        authorization.accept_blame = true;
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        ServiceAuthorization memory later = returning(1);
        wallet.withdraw(declared(), later, signed(later, ownerKey));
        assertTrue(wallet.executorEnded());
    }

    // Signatures

    function testFuzz_refusesAnyOtherSigner(uint256 key) public {
        key = boundPrivateKey(key);
        vm.assume(key != ownerKey);
        ServiceAuthorization memory authorization = returning(100);
        refuses(IOneTimeWallet.WrongSignature.selector, authorization, signed(authorization, key));
    }

    function testFuzz_refusesGarbage(bytes calldata signature) public {
        refuses(IOneTimeWallet.WrongSignature.selector, returning(100), signature);
    }

    function testFuzz_refusesAnyChangeAfterSigning(uint8 field, uint256 value) public {
        ServiceAuthorization memory authorization = returning(100);
        bytes memory signature = signed(authorization, ownerKey);
        field = field % 6;
        if (field == 0) authorization.description = vm.toString(value);
        if (field == 1) authorization.actions = sending(address(input), address(uint160(value)), 100);
        if (field == 2) authorization.actions = new Call[](0);
        if (field == 3) authorization.nonce = nonceOf(NOW + bound(value, 1, 1 days), uint128(value));
        if (field == 4) authorization.accept_blame = true;
        if (field == 5) authorization.actions[0].value = bound(value, 1, type(uint256).max);
        refuses(IOneTimeWallet.WrongSignature.selector, authorization, signature);
    }

    function test_refusesSignaturesForTheZeroAddress() public {
        Declaration memory declaration = declared();
        declaration.owner = address(0);
        use(declaration);
        wallet = deployed(declaration);
        refuses(IOneTimeWallet.WrongSignature.selector, returning(0), new bytes(65));
        refuses(IOneTimeWallet.WrongSignature.selector, returning(0), "");
    }

    function test_anOwnerThatIsAContractSignsByErc1271() public {
        Declaration memory declaration = declared();
        declaration.owner = address(new SmartAccount(owner));
        funded(declaration, 100);
        use(declaration);
        wallet = deployed(declaration);
        ServiceAuthorization memory authorization = returning(100);
        (, uint256 otherKey) = makeAddrAndKey("other");
        refuses(IOneTimeWallet.WrongSignature.selector, authorization, signed(authorization, otherKey));
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(input.balanceOf(owner), 100);
    }

    function test_anOwnerWithCodeStillSignsWithItsKey() public {
        vm.etch(owner, address(new RefusingAccount()).code);
        ServiceAuthorization memory authorization = returning(100);
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(input.balanceOf(owner), 100);
    }

    /// forge-config: default.evm_version = "prague"
    function test_anOwnerThatDelegatesByEip7702SignsEitherWay() public {
        (address sessionSigner, uint256 sessionKey) = makeAddrAndKey("session");
        DelegationVm(address(vm)).signAndAttachDelegation(address(new SmartAccount(sessionSigner)), ownerKey);
        assertEq(owner.code.length, 23);

        ServiceAuthorization memory byKey = returning(60);
        wallet.withdraw(declared(), byKey, signed(byKey, ownerKey));
        ServiceAuthorization memory byCode = returning(40);
        wallet.withdraw(declared(), byCode, signed(byCode, sessionKey));
        assertEq(input.balanceOf(owner), 100);
    }

    // Replays

    function test_refusesTheSameNonceTwice() public {
        ServiceAuthorization memory authorization = returning(10);
        bytes memory signature = signed(authorization, ownerKey);
        wallet.withdraw(declared(), authorization, signature);
        refuses(IOneTimeWallet.NonceAlreadyUsed.selector, authorization, signature);

        ServiceAuthorization memory another = returning(20);
        another.nonce = authorization.nonce;
        refuses(IOneTimeWallet.NonceAlreadyUsed.selector, another, signed(another, ownerKey));
    }

    function test_noncesComeInAnyOrder() public {
        ServiceAuthorization memory first = returning(10);
        ServiceAuthorization memory second = returning(20);
        wallet.withdraw(declared(), second, signed(second, ownerKey));
        wallet.withdraw(declared(), first, signed(first, ownerKey));
        assertEq(input.balanceOf(owner), 30);
    }

    function test_refusesAReplayOnAnotherChain() public {
        ServiceAuthorization memory authorization = returning(100);
        bytes memory signature = signed(authorization, ownerKey);
        uint256 here = block.chainid;
        // One before and one after this chain.
        uint256[2] memory others = [uint256(4242), 42_424_242];
        for (uint256 i = 0; i < others.length; i++) {
            vm.chainId(others[i]);
            authorization.chain_id = here;
            refuses(IOneTimeWallet.WrongChain.selector, authorization, signature);
            authorization.chain_id = others[i];
            refuses(IOneTimeWallet.WrongSignature.selector, authorization, signature);
        }
    }

    function testFuzz_refusesAnyOtherDeclarationHash(bytes32 hash) public {
        Declaration memory declaration = transferOf(NATIVE, 100, 100);
        OneTimeWallet wallet = deployed(declaration);
        ServiceAuthorization memory authorization = authorizing(declaration, noCalls());
        bytes32[3] memory others = [hash, bytes32(0), bytes32(type(uint256).max)];
        for (uint256 i = 0; i < others.length; i++) {
            if (others[i] == hashOf(declaration)) continue;
            authorization.signatory_declaration_hash = others[i];
            bytes memory signature = signed(authorization, ownerKey);
            vm.expectRevert(IOneTimeWallet.WrongDeclaration.selector);
            wallet.withdraw(declaration, authorization, signature);
        }
    }

    function test_refusesAReplayOnAnotherWallet() public {
        ServiceAuthorization memory authorization = returning(100);
        bytes memory signature = signed(authorization, ownerKey);
        Declaration memory other = transferOf(address(input), 100, 100);
        wallet = deployed(other);

        refuses(IOneTimeWallet.WrongDeclaration.selector, authorization, signature);
        use(other);
        refuses(IOneTimeWallet.WrongDeclaration.selector, authorization, signature);
        authorization.signatory_declaration_hash = hashOf(other);
        refuses(IOneTimeWallet.WrongSignature.selector, authorization, signature);
    }

    function test_refusesAReplayUnderAnotherFactory() public {
        ServiceAuthorization memory authorization = returning(100);
        bytes memory signature = signed(authorization, ownerKey);
        OneTimeWalletFactory other = new OneTimeWalletFactory(converter, runners);
        wallet = OneTimeWallet(payable(other.deploy(hashOf(declared()))));

        refuses(IOneTimeWallet.WrongFactory.selector, authorization, signature);

        Declaration memory redeclared = declared();
        redeclared.factory = address(other);
        use(redeclared);
        refuses(IOneTimeWallet.WrongDeclaration.selector, authorization, signature);
        wallet = OneTimeWallet(payable(other.deploy(hashOf(redeclared))));
        refuses(IOneTimeWallet.WrongDeclaration.selector, authorization, signature);
        authorization.signatory_declaration_hash = hashOf(redeclared);
        refuses(IOneTimeWallet.WrongSignature.selector, authorization, signature);
    }

    // Nonces

    function testFuzz_expiresOnTime(uint64 expiresAt, uint64 time) public {
        expiresAt = uint64(bound(expiresAt, NOW, type(uint64).max));
        time = uint64(bound(time, NOW, type(uint64).max));
        ServiceAuthorization memory authorization = returning(100);
        authorization.nonce = nonceOf(expiresAt, 1);
        bytes memory signature = signed(authorization, ownerKey);
        vm.warp(time);
        if (time >= expiresAt) {
            refuses(IOneTimeWallet.AuthorizationDead.selector, authorization, signature);
        } else {
            wallet.withdraw(declared(), authorization, signature);
            assertEq(input.balanceOf(owner), 100);
        }
    }

    function test_expiresInTheExactSecond() public {
        ServiceAuthorization memory authorization = returning(100);
        bytes memory signature = signed(authorization, ownerKey);
        vm.warp(authorization.nonce >> 192);
        refuses(IOneTimeWallet.AuthorizationDead.selector, authorization, signature);
        vm.warp((authorization.nonce >> 192) - 1);
        wallet.withdraw(declared(), authorization, signature);
        assertEq(input.balanceOf(owner), 100);
    }

    function testFuzz_refusesANonceWithReservedBits(uint64 between) public {
        vm.assume(between != 0);
        ServiceAuthorization memory authorization = returning(100);
        authorization.nonce |= uint256(between) << 128;
        refuses(IOneTimeWallet.MalformedNonce.selector, authorization, signed(authorization, ownerKey));
    }

    function test_refusesANonceWithAnySingleReservedBit() public {
        for (uint256 bit = 128; bit < 192; bit++) {
            ServiceAuthorization memory authorization = returning(100);
            authorization.nonce |= 1 << bit;
            refuses(IOneTimeWallet.MalformedNonce.selector, authorization, signed(authorization, ownerKey));
        }
    }

    // Actions

    function test_allActionsSucceedOrNone() public {
        ServiceAuthorization memory authorization =
            authorizing(declared(), joined(sending(address(input), owner, 60), sending(address(input), owner, 41)));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert();
        wallet.withdraw(declared(), authorization, signature);
        assertEq(input.balanceOf(address(wallet)), 100);
        assertFalse(wallet.nonceUsed(authorization.nonce));
    }

    function test_refusesATransferThatReturnsFalse() public {
        FalseToken token = new FalseToken();
        token.mint(address(wallet), 100);
        token.refuse(owner);
        ServiceAuthorization memory authorization = authorizing(declared(), sending(address(token), owner, 100));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Calls.TransferReturnedFalse.selector, token));
        wallet.withdraw(declared(), authorization, signature);
        token.answerShort();
        vm.expectRevert(abi.encodeWithSelector(Calls.TransferReturnedFalse.selector, token));
        wallet.withdraw(declared(), authorization, signature);
    }

    function test_refusesATransferFromThatReturnsFalse() public {
        FalseToken token = new FalseToken();
        token.refuse(owner);
        bytes memory transfer = abi.encodeCall(token.transferFrom, (relayer, owner, 100));
        ServiceAuthorization memory authorization = authorizing(declared(), one(address(token), transfer, 0));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Calls.TransferReturnedFalse.selector, token));
        wallet.withdraw(declared(), authorization, signature);
    }

    function test_takesATransferThatReturnsNothing() public {
        address[] memory holders = new address[](1);
        holders[0] = address(wallet);
        DevelopmentTether tether = new DevelopmentTether(admin, holders, 100);
        ServiceAuthorization memory authorization = authorizing(declared(), sending(address(tether), owner, 100));
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(tether.balanceOf(owner), 100);
    }

    function test_refusesAZeroTransferToTheZeroAddressThatReturnsFalse() public {
        address token = address(new Denying());
        ServiceAuthorization memory authorization =
            authorizing(declared(), one(token, abi.encodePacked(input.transfer.selector), 0));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Calls.TransferReturnedFalse.selector, token));
        wallet.withdraw(declared(), authorization, signature);
    }

    function test_takesATransferThatReturnsMoreThanTrue() public {
        WordyToken token = new WordyToken();
        token.mint(address(wallet), 100);
        ServiceAuthorization memory authorization = authorizing(declared(), sending(address(token), owner, 100));
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertEq(token.balanceOf(owner), 100);
    }

    function test_refusesDataToAnAddressWithoutCode() public {
        ServiceAuthorization memory authorization = authorizing(declared(), sending(makeAddr("nothing"), owner, 100));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Calls.TargetWithoutCode.selector, makeAddr("nothing")));
        wallet.withdraw(declared(), authorization, signature);
    }

    function test_refusesAnActionThatFailsWithoutAReason() public {
        address silent = address(new Silent());
        ServiceAuthorization memory authorization = authorizing(declared(), one(silent, hex"12345678", 0));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Calls.CallFailed.selector, silent));
        wallet.withdraw(declared(), authorization, signature);
    }

    function test_refusesMoreNativeCurrencyThanTheBalance() public {
        ServiceAuthorization memory authorization = authorizing(declared(), sending(NATIVE, owner, 1));
        bytes memory signature = signed(authorization, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Calls.CallFailed.selector, owner));
        wallet.withdraw(declared(), authorization, signature);
    }

    function test_acceptsAZeroReturnValueFromOtherCalls() public {
        bytes memory question = abi.encodeCall(input.balanceOf, (relayer));
        ServiceAuthorization memory authorization = authorizing(declared(), one(address(input), question, 0));
        wallet.withdraw(declared(), authorization, signed(authorization, ownerKey));
        assertTrue(wallet.nonceUsed(authorization.nonce));
    }

    function test_anActionCannotExecuteALeg() public {
        bytes memory execution = abi.encodeCall(wallet.execute, (declared(), 0, 90, fee(5), noCalls()));
        ServiceAuthorization memory authorization = authorizing(declared(), one(address(wallet), execution, 0));
        refuses(IOneTimeWallet.NotExecutor.selector, authorization, signed(authorization, ownerKey));
    }

    // The implementation itself has no declaration.

    function test_theImplementationAcceptsNoCalls() public {
        wallet = OneTimeWallet(payable(factory.implementation()));
        ServiceAuthorization memory authorization = returning(0);
        refuses(IOneTimeWallet.WrongDeclaration.selector, authorization, signed(authorization, ownerKey));
    }

    function returning(uint256 amount) private returns (ServiceAuthorization memory) {
        return authorizing(declared(), sending(address(input), owner, amount));
    }

    function refuses(bytes4 selector, ServiceAuthorization memory authorization, bytes memory signature) private {
        Declaration memory declaration = declared();
        vm.expectRevert(selector);
        wallet.withdraw(declaration, authorization, signature);
    }

    function declared() private view returns (Declaration memory) {
        return abi.decode(_declared, (Declaration));
    }

    function use(Declaration memory declaration) private {
        _declared = abi.encode(declaration);
    }
}
