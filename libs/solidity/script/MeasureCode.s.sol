// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Script} from "forge-std/Script.sol";

/// @notice Deploys the generator's init codes through the CREATE2 deployer and reports the deployed code.
contract MeasureCode is Script {
    address private constant DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes private constant DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    function run() external {
        vm.etch(DEPLOYER, DEPLOYER_CODE);
        string memory json = vm.readFile("cache/init-codes.json");
        bytes[] memory initCodes = vm.parseJsonBytesArray(json, ".initCodes");
        address[] memory extra = vm.parseJsonAddressArray(json, ".deployedAlongside");
        address[] memory addresses = new address[](initCodes.length);
        bytes[] memory codes = new bytes[](initCodes.length);
        for (uint256 i = 0; i < initCodes.length; i++) {
            (bool success, bytes memory result) = DEPLOYER.call(abi.encodePacked(bytes32(0), initCodes[i]));
            require(success, "deployment failed");
            addresses[i] = address(bytes20(result));
            codes[i] = addresses[i].code;
        }
        bytes[] memory alongside = new bytes[](extra.length);
        for (uint256 i = 0; i < extra.length; i++) {
            alongside[i] = extra[i].code;
        }
        vm.serializeBytes("measured", "codesAlongside", alongside);
        vm.serializeAddress("measured", "addresses", addresses);
        vm.writeJson(vm.serializeBytes("measured", "codes", codes), "cache/codes.json");
    }
}
