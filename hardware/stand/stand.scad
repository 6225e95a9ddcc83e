// A camera stand to print: a foot, a column and an arm of plug-together tubes, and a head for the camera.
//
//   openscad -o foot.stl -D 'part="foot"' stand.scad        one part (see `parts` below)
//   openscad stand.scad                                     look at the whole stand
//
// Everything is in millimetres. Change height, reach or camera, and print again what changed.

/* [What] */
part = "all"; // [all, foot, column, elbow, arm, head, lamp_clamp]
camera = "module3"; // [module3, module2, hq, usb]  the usb head has a hole for a quarter-inch tripod screw

/* [Measures] */
height = 380;      // from the table to the lens; 340–400 for an A4 mat, 470–520 for A3
reach = 185;       // from the column to the lens; half the depth of the mat and 80 for the foot
tilt = 0;          // degrees the camera leans; 0 looks straight down
lamp_arm = 12;     // diameter of the desk lamp's arm, for the clamp
longest = 195;     // what your printer can print in height

/* [Fit] */
play = 0.25;       // between a plug and its socket, on each side; 0.15 for a good printer, 0.4 for a bad one

outer = 24;        // the tube
wall = 3;
bore = outer - 2 * wall;
plug = 20;         // how far the tubes go into one another
plate = 5;
foot_size = [150, 190];
$fn = 48;

foot_high = 20;
column_length = height - foot_high - plug - 2 + 5;       // the elbow raises the arm, the camera hangs 5 below it
column_count = ceil(column_length / (longest - plug));
column_each = column_length / column_count;
arm_length = reach - outer - 18;

module slab(size, height, radius = 6) {
    linear_extrude(height) offset(radius) square([size[0] - 2 * radius, size[1] - 2 * radius], center = true);
}

module stick(length) { // goes into a socket
    translate([0, 0, length / 2]) cube([bore - 2 * play, bore - 2 * play, length], center = true);
}

module socket(length) {
    translate([0, 0, length / 2 - 0.01]) cube([bore, bore, length], center = true);
}

module tube(length) { // open below, a plug above; the ribbon cable runs outside, held by the slots
    difference() {
        union() {
            translate([0, 0, length / 2]) cube([outer, outer, length], center = true);
            translate([0, 0, length - 0.01]) stick(plug);
        }
        translate([0, 0, -0.01]) socket(length - 8);
        translate([0, 0, length - 9]) cylinder(d = 10, h = plug + 20);
    }
}

module foot() {
    difference() {
        union() {
            slab(foot_size, 8);
            translate([0, 0, 8]) linear_extrude(12, scale = 0.75) square(outer * 1.6, center = true);
            translate([0, 0, foot_high - 0.01]) stick(plug);
        }
        // To screw it to a board, or to glue coins or a stone into.
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (foot_size[0] / 2 - 14), y * (foot_size[1] / 2 - 14), -1]) {
                cylinder(d = 4.5, h = 20);
                translate([0, 0, 5]) cylinder(d1 = 4.5, d2 = 9.5, h = 4.1);
            }
        for (y = [-1, 1]) translate([0, y * 62, 4]) cylinder(d = 40, h = 10);
    }
}

module elbow() { // on the column; the arm goes over its plug
    difference() {
        union() {
            translate([0, 0, (plug + outer) / 2 + 1]) cube([outer, outer, plug + outer + 2], center = true);
            translate([outer / 2 - 0.01, 0, plug + 2 + outer / 2]) rotate([0, 90, 0]) stick(plug);
        }
        translate([0, 0, -0.01]) socket(plug + 1);
    }
}

function board(camera) = // size, distance of the holes, their diameter, the lens' opening
    camera == "hq" ? [[44, 44], [30, 30], 2.7, 26] :
    camera == "usb" ? [[44, 44], [0, 0], 6.6, 0] :
    camera == "module2" ? [[33, 31], [21, 12.5], 2.2, 10.5] :
    [[33, 31], [21, 12.5], 2.2, 13];

module head(camera = camera) { // the camera is screwed below the plate and looks down
    size = board(camera)[0];
    holes = board(camera)[1];
    difference() {
        union() {
            translate([plug / 2 + 1, 0, 0]) cube([plug + 2, outer, outer], center = true);
            translate([plug + 1, 0, -outer / 2]) rotate([0, tilt, 0]) translate([size[0] / 2 - 1, 0, 0]) {
                slab(size, plate, 3);
                translate([-size[0] / 2 + 4, 0, plate / 2 + 2]) cube([8, outer, plate + 4], center = true);
            }
        }
        translate([-0.01, 0, 0]) rotate([0, 90, 0]) socket(plug + 0.5);
        translate([plug + 1, 0, -outer / 2]) rotate([0, tilt, 0]) translate([size[0] / 2 + 1, 0, -1]) {
            if (holes[0] == 0) cylinder(d = board(camera)[2], h = plate + 2);
            else for (x = [-1, 1], y = [-1, 1])
                translate([x * holes[1] / 2 + (camera == "hq" ? 0 : 3), y * holes[0] / 2, 0])
                    cylinder(d = board(camera)[2], h = plate + 2);
            // The back of the board has parts: leave them room, and the ribbon a way out.
            if (holes[0] > 0) {
                translate([camera == "hq" ? 0 : 2, 0, 0]) cylinder(d = board(camera)[3], h = plate + 2);
                translate([size[0] / 2 - 3, 0, plate / 2 + 1]) cube([8, 17, plate + 3], center = true);
            }
        }
    }
}

module lamp_clamp() { // a ring that is screwed round the arm of a desk lamp, with a plug for the camera's head
    ring = lamp_arm + 2 * 4;
    difference() {
        union() {
            cylinder(d = ring, h = outer);
            translate([-ring / 2 - 9, -6, 0]) cube([ring / 2 + 9, 12, outer]);
            translate([lamp_arm / 2 + 1, -outer / 2, 0]) cube([8, outer, outer]);
            translate([lamp_arm / 2 + 8.99, 0, outer / 2]) rotate([0, 90, 0]) stick(plug);
        }
        translate([0, 0, -1]) cylinder(d = lamp_arm + 0.4, h = outer + 2);
        translate([-ring, -1.5, -1]) cube([ring, 3, outer + 2]);
        translate([-ring / 2 - 4, 10, outer / 2]) rotate([90, 0, 0]) cylinder(d = 4.4, h = 20); // M4 screw and nut
    }
}

module all() {
    color("silver") foot();
    color("gainsboro") for (n = [0 : column_count - 1]) translate([0, 0, foot_high + n * column_each]) tube(column_each);
    translate([0, 0, foot_high + column_length]) {
        color("silver") elbow();
        translate([outer / 2, 0, plug + 2 + outer / 2]) {
            color("gainsboro") rotate([0, 90, 0]) tube(arm_length);
            color("silver") translate([arm_length, 0, 0]) head();
        }
    }
}

if (part == "foot") foot();
else if (part == "column") tube(column_each);
else if (part == "elbow") rotate([90, 0, 0]) elbow();
else if (part == "arm") tube(arm_length);
else if (part == "head") rotate([90, 0, 0]) head();
else if (part == "lamp_clamp") lamp_clamp();
else all();
echo(str("column: print ", column_count, " of ", column_each, " mm; arm: 1 of ", arm_length, " mm"));
