// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {AttesterOracle} from "../contracts/AttesterOracle.sol";
import {Outcome} from "../contracts/interfaces/IFillOracle.sol";
import {BridgeFixture} from "./support/BridgeFixture.sol";

contract AttesterOracleTest is BridgeFixture {
    bytes32 private constant ID = keccak256("order");

    function test_reportsItsAttestersAndQuorum() public {
        address[] memory accounts = attesters(3);
        for (uint256 i = 0; i < accounts.length; i++) {
            assertTrue(oracle.isAttester(accounts[i]));
        }
        assertFalse(oracle.isAttester(relayer));
        assertEq(oracle.threshold(), 2);
    }

    function testFuzz_needsMoreThanHalfAndNoMoreThanAll(uint256 count, uint256 threshold) public {
        count = bound(count, 1, 7);
        threshold = bound(threshold, 0, 8);
        bool isUseful = threshold > count / 2 && threshold <= count;
        address[] memory accounts = attesters(count);
        if (!isUseful) vm.expectRevert(AttesterOracle.UselessThreshold.selector);
        AttesterOracle made = new AttesterOracle(accounts, threshold);
        if (isUseful) assertEq(made.threshold(), threshold);
    }

    function test_refusesAttestersTwiceOutOfOrderOrZero() public {
        address[] memory accounts = attesters(2);
        (accounts[0], accounts[1]) = (accounts[1], accounts[0]);
        vm.expectRevert(AttesterOracle.UnorderedAttesters.selector);
        new AttesterOracle(accounts, 2);
        accounts[0] = accounts[1];
        vm.expectRevert(AttesterOracle.UnorderedAttesters.selector);
        new AttesterOracle(accounts, 2);
        accounts[0] = address(0);
        vm.expectRevert(AttesterOracle.UnorderedAttesters.selector);
        new AttesterOracle(accounts, 2);
    }

    function test_acceptsAQuorumWhoeverSubmits() public {
        (Outcome outcome, address filler) = oracle.outcomeOf(ID);
        assertEq(uint8(outcome), uint8(Outcome.Unknown));
        assertEq(filler, address(0));

        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 2);
        vm.expectEmit(address(oracle));
        emit AttesterOracle.Attested(ID, Outcome.Filled, solver);
        vm.prank(relayer);
        oracle.attest(ID, Outcome.Filled, solver, list);

        (outcome, filler) = oracle.outcomeOf(ID);
        assertEq(uint8(outcome), uint8(Outcome.Filled));
        assertEq(filler, solver);
    }

    function test_acceptsAllOfThemAndAnyTwo() public {
        oracle.attest("all", Outcome.Unfilled, address(0), signatures("all", Outcome.Unfilled, address(0), 3));
        bytes[] memory list = signatures("any", Outcome.Filled, solver, 3);
        (list[0], list[1]) = (list[1], list[2]);
        assembly {
            mstore(list, 2)
        }
        oracle.attest("any", Outcome.Filled, solver, list);
        (Outcome outcome,) = oracle.outcomeOf("any");
        assertEq(uint8(outcome), uint8(Outcome.Filled));
    }

    function test_fewerThanTheQuorumMoveNothing() public {
        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 1);
        vm.expectRevert(AttesterOracle.TooFewSignatures.selector);
        oracle.attest(ID, Outcome.Filled, solver, list);
    }

    function test_oneAttesterIsNotTwo() public {
        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 2);
        address twice = vm.addr(attesterKeys[0]);
        list[1] = list[0];
        vm.expectRevert(abi.encodeWithSelector(AttesterOracle.UnknownSigner.selector, twice));
        oracle.attest(ID, Outcome.Filled, solver, list);
    }

    function test_refusesSignaturesOutOfOrder() public {
        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 2);
        (list[0], list[1]) = (list[1], list[0]);
        address second = vm.addr(attesterKeys[0]);
        vm.expectRevert(abi.encodeWithSelector(AttesterOracle.UnknownSigner.selector, second));
        oracle.attest(ID, Outcome.Filled, solver, list);
    }

    function testFuzz_refusesAnyoneElse(uint256 key) public {
        key = boundPrivateKey(key);
        address signer = vm.addr(key);
        vm.assume(!oracle.isAttester(signer));
        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 2);
        list[0] = attestation(ID, Outcome.Filled, solver, key);
        vm.expectRevert(abi.encodeWithSelector(AttesterOracle.UnknownSigner.selector, signer));
        oracle.attest(ID, Outcome.Filled, solver, list);
    }

    function test_refusesGarbage() public {
        bytes[] memory list = new bytes[](2);
        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureLength.selector, 0));
        oracle.attest(ID, Outcome.Filled, solver, list);
    }

    function test_refusesAnInvalidOutcome() public {
        bytes[] memory none = new bytes[](0);
        vm.expectRevert(AttesterOracle.MeaninglessOutcome.selector);
        oracle.attest(ID, Outcome.Unknown, address(0), none);
        vm.expectRevert(AttesterOracle.MeaninglessOutcome.selector);
        oracle.attest(ID, Outcome.Unknown, solver, none);
        vm.expectRevert(AttesterOracle.MeaninglessOutcome.selector);
        oracle.attest(ID, Outcome.Filled, address(0), none);
        vm.expectRevert(AttesterOracle.MeaninglessOutcome.selector);
        oracle.attest(ID, Outcome.Unfilled, solver, none);
    }

    function test_anOutcomeOnceRecordedStays() public {
        oracle.attest(ID, Outcome.Unfilled, address(0), signatures(ID, Outcome.Unfilled, address(0), 2));
        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 3);
        vm.expectRevert(AttesterOracle.AlreadyAttested.selector);
        oracle.attest(ID, Outcome.Filled, solver, list);
    }

    function test_aSignatureIsForOneOrderOutcomeFillerChainAndOracle() public {
        bytes[] memory list = signatures(ID, Outcome.Filled, solver, 2);
        AttesterOracle another = new AttesterOracle(attesters(3), 2);
        vm.expectPartialRevert(AttesterOracle.UnknownSigner.selector);
        oracle.attest("another", Outcome.Filled, solver, list);
        vm.expectPartialRevert(AttesterOracle.UnknownSigner.selector);
        oracle.attest(ID, Outcome.Filled, relayer, list);
        vm.expectPartialRevert(AttesterOracle.UnknownSigner.selector);
        oracle.attest(ID, Outcome.Unfilled, address(0), list);
        vm.expectPartialRevert(AttesterOracle.UnknownSigner.selector);
        another.attest(ID, Outcome.Filled, solver, list);
        vm.chainId(THERE);
        vm.expectPartialRevert(AttesterOracle.UnknownSigner.selector);
        oracle.attest(ID, Outcome.Filled, solver, list);
    }
}
